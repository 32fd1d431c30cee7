import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// The saves of others of a form's item since it was opened.
struct Meanwhile {
    /// The newest transaction when the form was opened.
    var opened: Int64 = 0
    /// The newest transaction that was checked.
    var seen: Int64 = 0
    /// The item as others have saved it, and its context.
    var stored: (item: Item, context: ManagedObjectContext)?
    /// Who: `by the shell`.
    var by = ""
    var isDeleted = false
    var isTrashed = false
    /// Whether the form has asked about the trash.
    var askedAboutTrash = false
    /// Whether it is an occurrence of a repeating task that others have completed.
    var isCompleted = false
    /// Whether the form has asked about the completion.
    var askedAboutCompletion = false
    /// The texts about which the form has asked, by key.
    var asked: [String: String] = [:]
}

/// The value that others have saved for a field.
struct FieldMeanwhile: Equatable {
    var text: String
    /// Who: `by the shell`.
    var by: String

    /// The greatest number of columns of a shown value.
    private static let most = 160

    /// `changed meanwhile by the shell: priority is high now. ^R accepts it`, in as many rows as
    /// needed.
    func rows(of label: String, columns: Int) -> [String] {
        let who = by.isEmpty ? "" : " \(by)"
        let value =
            text.isEmpty ? localized("empty") : DisplayWidth.singleLine(String(text.prefix(1000)))
        let shown = DisplayWidth.truncate(value, to: FieldMeanwhile.most)
        // A noun in German keeps its capital letter.
        let name = Language.current == .german ? label : label.lowercased()
        let what = localized("changed meanwhile\(who): \(name) is \(shown) now.")
        let way = localized("^R accepts it")
        if DisplayWidth.of(what) + 1 + way.count <= columns { return ["\(what) \(way)"] }
        return [what, way].flatMap { DisplayWidth.wrapped($0, columns: max(1, columns)) }
            .map(String.init)
    }
}
