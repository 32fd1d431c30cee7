/// Why nothing more can be exchanged; the message is one sentence for people.
public struct SyncError: Error, CustomStringConvertible, Sendable {
    public enum Code: Sendable {
        /// There is no network, or the server cannot be reached.
        case offline
        /// The server does not accept the user or the password.
        case refused
        /// The server's certificate is not accepted.
        case certificate
        /// The server answers, but not as it should.
        case server
        /// So much would be deleted here that somebody has to confirm it.
        case manyDeletions
        /// What is configured is incomplete or contradicts itself.
        case configuration
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}
