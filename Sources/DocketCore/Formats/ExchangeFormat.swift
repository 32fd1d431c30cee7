/// A format in which items come and go.
///
/// Each format's rules and its table of fields stand in its reader's and writer's documentation:
/// ``DocketJSONReader``, ``TaskwarriorReader``, ``TodoTxtReader``, ``TextWriter``.
package enum ExchangeFormat: String, CaseIterable, Sendable {
    case json
    case taskwarrior
    case todotxt
    case text

    /// The format of a name as an option gives it; also `task`, `tw`, `todo.txt`, `txt`, `plain`.
    ///
    /// - Throws: ``InputError`` of kind `unknownFormat`, with the names that exist.
    package init(name: String) throws(InputError) {
        switch name.lowercased() {
        case "json": self = .json
        case "taskwarrior", "task", "tw": self = .taskwarrior
        case "todotxt", "todo.txt", "todo-txt", "todo": self = .todotxt
        case "text", "txt", "plain": self = .text
        default:
            let known = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw InputError(
                .unknownFormat,
                "There is no format “\(ShortID.shown(name))”; the formats are \(known)."
            )
        }
    }
}
