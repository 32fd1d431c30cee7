import Encryption
import ObjectGraph

/// A failure after something that stays: a step of several was carried out, and a later one was not.
///
/// The error of the later step says what is so of that step only, as "nothing was changed"; this one
/// says what is so of the whole.
public struct DoneBefore: Error, CustomStringConvertible {
    /// What was done and stays, as sentences.
    public let done: String
    /// Why the rest failed.
    public let cause: any Error
    /// What to do now, as sentences.
    public let next: String

    public init(_ done: String, _ cause: any Error, next: String) {
        self.done = done
        self.cause = cause
        self.next = next
    }

    public var description: String { "\(done) Then: \(cause.reason) \(next)" }
}

extension Error {
    /// What is wrong, in a sentence, without what to do and without what was not changed.
    public var reason: String {
        switch self {
        case let error as ObjectGraphError: error.message
        case let error as EncryptionError: error.message
        default: "\(self)"
        }
    }
}
