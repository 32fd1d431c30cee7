import Glibc
// Whoever makes or shows a refusal writes phrases.
@_exported public import Phrases

/// A refusal of typed text or of a file: one sentence that says what is wrong and what to do.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The refused thing, for callers that choose an exit code or a field to mark.
    public enum Kind: Hashable, Sendable {
        case emptyTitle
        /// The text looks like a date, but this day or time does not exist.
        case impossibleDate
        /// The text does not look like a date.
        case unknownDate
        case badReference
        case unknownFormat
        /// Somebody has changed the thing to change in the meantime.
        case conflict
        /// There is more of something than one item, list or search may have; see ``Limits``.
        case tooMuch
        /// The bytes do not follow the format's rules.
        case malformed
        /// What is wanted needs the vault, which is locked or does not exist.
        case locked
    }

    public let kind: Kind
    /// The whole sentence, ready to show.
    public var message: String { phrase.text }
    private let phrase: Phrase

    public init(_ kind: Kind, _ message: Phrase) {
        self.kind = kind
        phrase = message
    }

    public var description: String { message }

    public static func == (left: InputError, right: InputError) -> Bool {
        left.kind == right.kind && left.message == right.message
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// A file that cannot be read, by the number of an error of the system.
    public static func unreadable(_ path: String, _ code: Int32) -> InputError {
        InputError(.malformed, "\(path) cannot be read: \(String(cString: strerror(code))).")
    }
}
