import DocketFormats
public import Encryption
public import FoundationEssentials

/// One request of the protocol over HTTP.
public struct TaskServerRequest: Hashable, Sendable {
    /// `GET`, or `POST` with a body.
    public var method: String
    public var url: String
    public var headers: [String: String]
    public var body: [UInt8]?
}

/// The answer to a request.
public struct TaskServerResponse: Hashable, Sendable {
    public var status: Int
    /// By names in lower case.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// A server with which Taskwarrior 3 synchronizes.
///
/// It has a chain of versions, each a list of operations, and perhaps a snapshot of all tasks at one of
/// them. Both are encrypted here: the key is derived from the secret with PBKDF2 and HMAC-SHA-256, 600,000
/// times, the salt is the client ID; the cipher is ChaCha20-Poly1305, which also authenticates the
/// version to which the data belongs. Source: "HTTP Representation" and "Encryption" of TaskChampion's
/// documentation.
public struct TaskChampionServer {
    private let base: String
    private let clientID: UUID
    private let cipher: ChaChaPoly
    private let send: (TaskServerRequest) throws -> TaskServerResponse

    private static let iterations: UInt32 = 600_000
    /// The form of what is encrypted, and whose it is: tasks.
    private static let (form, application): (UInt8, UInt8) = (1, 1)

    /// - Parameters:
    ///   - url: the address, such as `https://tasks.example.org`.
    ///   - clientID: what the replicas of one person have in common.
    ///   - secret: the encryption secret.
    ///   - send: makes a request.
    /// - Throws: ``EncryptionError`` if the system has no memory.
    /// - Complexity: about half a second for the key.
    public init(
        url: String,
        clientID: UUID,
        secret: SecretBytes,
        send: @escaping (TaskServerRequest) throws -> TaskServerResponse
    ) throws {
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.clientID = clientID
        self.send = send
        let salt = withUnsafeBytes(of: clientID.uuid) { Array($0) }
        cipher = try ChaChaPoly(
            passphrase: secret,
            salt: salt,
            iterations: TaskChampionServer.iterations
        )
    }

    /// What follows a version.
    public enum Child: Hashable, Sendable {
        case version(UUID, [TaskOperation])
        /// It is the last one.
        case none
        /// The server does not have it any more.
        case gone
    }

    /// The version that follows one.
    ///
    /// - Throws: ``TaskChampionError``, or what the transport throws.
    public func child(of version: UUID) throws -> Child {
        let answer = try request("GET", "get-child-version", version)
        switch answer.status {
        case 200:
            let data = try open(answer.body, of: version)
            return .version(try id(answer, "x-version-id"), try TaskOperation.operations(data))
        case 404: return .none
        case 410: return .gone
        default: throw refusal(answer)
        }
    }

    /// How much a server would like a snapshot.
    public enum Urgency: String, Sendable {
        case low = "urgency=low"
        case high = "urgency=high"
    }

    /// What came of a new version.
    public enum Addition: Hashable, Sendable {
        case added(UUID, snapshot: Urgency?)
        /// Another replica was faster: this version is the last one.
        case conflict(UUID)
    }

    /// Adds a version behind another one.
    ///
    /// - Throws: ``TaskChampionError``, or what the transport throws; the version may have been added
    ///   then or not.
    public func add(_ operations: [TaskOperation], behind parent: UUID) throws -> Addition {
        let data = try seal(TaskOperation.json(operations), of: parent)
        let answer = try request("POST", "add-version", parent, data, "history-segment")
        switch answer.status {
        case 200:
            let urgency = answer.headers["x-snapshot-request"].flatMap(Urgency.init)
            return .added(try id(answer, "x-version-id"), snapshot: urgency)
        case 409: return .conflict(try id(answer, "x-parent-version-id"))
        default: throw refusal(answer)
        }
    }

    /// The last snapshot; `nil` if there is none.
    ///
    /// - Throws: ``TaskChampionError``, or what the transport throws.
    public func snapshot() throws -> TaskReplica? {
        let answer = try request("GET", "snapshot", nil)
        switch answer.status {
        case 200:
            let version = try id(answer, "x-version-id")
            return try TaskReplica(version: version, snapshot: open(answer.body, of: version))
        case 404: return nil
        default: throw refusal(answer)
        }
    }

    /// Stores a snapshot.
    ///
    /// - Throws: ``TaskChampionError``, or what the transport throws.
    public func add(snapshot replica: TaskReplica) throws {
        let data = try seal(try replica.snapshot(), of: replica.version)
        let answer = try request("POST", "add-snapshot", replica.version, data, "snapshot")
        if answer.status != 200 { throw refusal(answer) }
    }

    // MARK: Requests

    private func request(
        _ method: String,
        _ name: String,
        _ version: UUID?,
        _ body: [UInt8]? = nil,
        _ type: String = ""
    ) throws -> TaskServerResponse {
        let place = version.map { "/\(UUIDText.lowercase($0))" } ?? ""
        var headers = ["X-Client-Id": UUIDText.lowercase(clientID)]
        if body != nil { headers["Content-Type"] = "application/vnd.taskchampion.\(type)" }
        return try send(
            TaskServerRequest(
                method: method,
                url: "\(base)/v1/client/\(name)\(place)",
                headers: headers,
                body: body
            )
        )
    }

    private func id(_ answer: TaskServerResponse, _ name: String) throws -> UUID {
        guard let id = answer.headers[name].flatMap({ UUIDText.parse($0) }) else {
            throw TaskChampionError(
                "The server's answer has no \(name); is \(base) a TaskChampion server?"
            )
        }
        return id
    }

    private func refusal(_ answer: TaskServerResponse) -> TaskChampionError {
        let why =
            switch answer.status {
            case 401, 403: "the server does not know the client ID"
            case 413: "the changes are larger than the server accepts"
            case 500...: "the server has a problem; try again later"
            default: "is \(base) a TaskChampion server?"
            }
        return TaskChampionError("The server answers \(answer.status): \(why).")
    }

    // MARK: Encryption

    private func header(_ version: UUID) -> [UInt8] {
        [TaskChampionServer.application] + withUnsafeBytes(of: version.uuid) { Array($0) }
    }

    private func seal(_ plain: [UInt8], of version: UUID) throws -> [UInt8] {
        [TaskChampionServer.form] + (try cipher.seal(plain, authenticating: header(version)))
    }

    private func open(_ sealed: [UInt8], of version: UUID) throws -> [UInt8] {
        guard sealed.first == TaskChampionServer.form else { throw TaskChampionError.damaged }
        let plain = try cipher.open(sealed.dropFirst(), authenticating: header(version))
        guard let plain else { throw TaskChampionError.sealed }
        return plain
    }
}
