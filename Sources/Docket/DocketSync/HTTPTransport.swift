public import FoundationEssentials

/// One request over HTTP.
public struct HTTPRequest: Hashable, Sendable {
    public var method: String
    /// The whole address.
    public var url: String
    public var headers: [String: String]
    public var body: Data?
    /// Whether the server reads or writes all of a collection before it answers.
    public var isLong = false

    public init(
        _ method: String,
        _ url: String,
        headers: [String: String] = [:],
        body: Data? = nil
    ) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

/// The answer to a request, after redirections.
public struct HTTPResponse: Hashable, Sendable {
    public var status: Int
    /// By names in lower case.
    public var headers: [String: String]
    public var body: Data
    /// Where it came from in the end.
    public var url: String

    public init(
        status: Int,
        headers: [String: String] = [:],
        body: Data = Data(),
        url: String = ""
    ) {
        (self.status, self.headers, self.body, self.url) = (status, headers, body, url)
    }
}

extension HTTPResponse {
    /// Whether it is a page for people, such as the login of a network.
    var isPage: Bool {
        headers["content-type"]?.contains("html") ?? false
            || body.prefix(256).starts(with: Data("<!".utf8))
    }
}

/// What makes requests; it knows the user and the password.
public protocol HTTPTransport {
    /// Makes independent requests, several at the same time if it can.
    ///
    /// - Returns: the answer to each.
    /// - Throws: ``SyncError`` if one has no answer.
    func send(_ requests: [HTTPRequest]) throws -> [HTTPResponse]
}

extension HTTPTransport {
    func send(_ request: HTTPRequest) throws -> HTTPResponse {
        guard let answer = try send([request]).first else {
            throw SyncError(.server, "The server has not answered.")
        }
        return answer
    }
}
