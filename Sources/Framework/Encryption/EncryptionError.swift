/// The one error type of encryption.
///
/// `description` is a sentence for people: what is wrong and what to do. No error holds a secret, nor
/// says why an authentication failed: a wrong key and changed data look the same.
public struct EncryptionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable {
        /// The passphrase does not open the envelope, or the envelope was changed.
        case wrongPassphrase
        /// A passphrase that is not accepted, such as an empty one.
        case weakPassphrase
        /// Sealed data was changed, is incomplete, or belongs elsewhere.
        case notAuthentic
        /// The keys are locked.
        case locked
        /// The data needs a key that the key ring does not have.
        case unknownKey
        /// Too many wrong passphrases: the next attempt has to wait.
        case tooManyAttempts
        /// Data or text that does not have the form it must have.
        case invalidForm
        /// A form or a cost that this version does not accept.
        case unsupported
        /// None of the identities opens the file.
        case noIdentity
        /// The system did not give memory or random numbers.
        case system
        /// A file could not be read or written.
        case file
    }

    /// What went wrong.
    public var code: Code
    /// One sentence, without secrets.
    public var message: String
    /// What to do next, one sentence; empty if the message says it.
    public var recovery: String
    /// For ``Code/tooManyAttempts`` the seconds to wait, else 0.
    public var waitingTime: Double

    /// An error of one's own, for what is built on these functions.
    public init(
        _ code: Code,
        _ message: String,
        recovery: String = "",
        waitingTime: Double = 0
    ) {
        self.code = code
        self.message = message
        self.recovery = recovery
        self.waitingTime = waitingTime
    }

    public var description: String { recovery.isEmpty ? message : "\(message) \(recovery)" }
}
