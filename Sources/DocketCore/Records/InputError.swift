/// A refusal of what somebody typed or a file held: one sentence that says what is wrong and what
/// to do.
package struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was refused, for callers that choose an exit code or a field to mark.
    package enum Kind: Hashable, Sendable {
        case emptyTitle
        /// The text reads as a date, but no calendar has this day or no clock this time.
        case impossibleDate
        /// The text does not read as a date.
        case unknownDate
        case badReference
        case unknownFormat
        /// Somebody changed meanwhile what was to be changed.
        case conflict
        /// There is more of something than one item, list or search may have; see ``Limits``.
        case tooMuch
        /// The bytes do not follow the format's rules.
        case malformed
    }

    package let kind: Kind
    /// The whole sentence, ready to show.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }
}
