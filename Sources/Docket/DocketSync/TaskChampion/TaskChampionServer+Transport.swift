public import Encryption
public import FoundationEssentials
public import TaskChampion

extension TaskChampionServer {
    /// A server that is reached over a transport.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - clientID: what the replicas of one person have in common.
    ///   - secret: the encryption secret.
    ///   - transport: what makes requests.
    /// - Throws: `EncryptionError` if the system has no memory.
    public init(
        url: String,
        clientID: UUID,
        secret: SecretBytes,
        over transport: any HTTPTransport
    ) throws {
        try self.init(url: url, clientID: clientID, secret: secret) { request in
            let answer = try transport.send(
                HTTPRequest(
                    request.method,
                    request.url,
                    headers: request.headers,
                    body: request.body.map { Data($0) }
                )
            )
            return TaskServerResponse(
                status: answer.status,
                headers: answer.headers,
                body: Array(answer.body)
            )
        }
    }
}
