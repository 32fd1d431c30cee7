/// A format for import and export.
///
/// The documentation of each format's reader and writer has its rules and its table of fields:
/// ``DocketJSONReader``, ``TaskwarriorReader``, ``TodoTxtReader``, ``TextWriter``.
public enum ExchangeFormat: String, CaseIterable, Sendable {
    case json
    case taskwarrior
    case todotxt
    case text

    /// Whether a document is a list of JSON objects.
    public var isJSON: Bool { self == .json || self == .taskwarrior }

    /// The format with a name of an option; also `task`, `tw`, `todo.txt`, `txt`, `plain`.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat`, with the existing names.
    public init(name: String) throws(InputError) {
        switch name.lowercased() {
        case "json": self = .json
        case "taskwarrior", "task", "tw": self = .taskwarrior
        case "todotxt", "todo.txt", "todo-txt", "todo": self = .todotxt
        case "text", "txt", "plain": self = .text
        default:
            let known = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw InputError(
                .unknownFormat,
                "“\(ShortID.shown(name))” is not a format; the formats are \(known)."
            )
        }
    }
}
