import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

/// Reports that the store's file was deleted or replaced, and offers what can be done: no text on
/// the screen or in a form has to be lost.
final class LostStoreBox: MenuBox {
    private let path: String

    init(workspace: Workspace, _ error: ObjectGraphError) {
        path = workspace.library.path
        let items = [
            MenuItem(
                localized("Open the store again"),
                detail: localized("the file that is at its path now")
            ),
            MenuItem(
                localized("Write everything to a file"),
                detail: localized("with the unsaved changes")
            ),
            MenuItem(localized("Quit")),
        ]
        super.init("Store lost", items: items, placeholder: "what to do")
        note = error.message
    }

    private let noteRole = Role.error
    private var note = ""

    override var noteRows: Int { 4 }

    override func renderNote(into canvas: inout Canvas, look: Look) {
        let lines = DisplayWidth.wrapped(note, columns: canvas.columns).map(String.init)
        for (row, line) in lines.prefix(canvas.rows - 1).enumerated() {
            canvas.put(
                line,
                at: Position(row: row + 1, column: 0),
                width: canvas.columns,
                style: look[noteRole]
            )
        }
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        switch index {
        case 0: workspace.requests.append(.reopen)
        case 1: workspace.open(RescueBar(workspace: workspace))
        default: workspace.requests.append(.quit)
        }
    }
}

/// Asks for a file for the data that can be saved of a lost store.
final class RescueBar: InputBar {
    init(workspace: Workspace) {
        super.init("Write to", text: RescueBar.proposal(workspace), placeholder: "a new file")
        field.offer()
        preview = .plain(localized("items as JSON, which docket import reads"), .dim)
    }

    private static func proposal(_ workspace: Workspace) -> String {
        let path = workspace.library.path
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let context = workspace.library.clock()
        let day = DateFormat(context: context).plain(DueDate(day: context.today))
        return "\(folder)docket-rescued-\(day).json"
    }

    override func accept(in workspace: Workspace) throws {
        let count = try workspace.library.rescue(
            to: field.text,
            with: workspace.unsavedItems,
            titles: workspace.unsavedTexts
        )
        workspace.close(self)
        workspace.tell("Wrote \(count) items to \(field.text)", .success)
    }
}

extension Workspace {
    /// Reports once that the store is lost and what can be done.
    func offerReopening(_ error: ObjectGraphError) {
        if modals.contains(where: { $0 is LostStoreBox || $0 is RescueBar }) { return }
        open(LostStoreBox(workspace: self, error))
    }

    /// The items of forms that are open.
    var unsavedItems: [Item] { modals.compactMap { ($0 as? Form)?.item } }

    /// The typed texts that are not items yet.
    var unsavedTexts: [String] {
        modals.compactMap { ($0 as? CaptureBar)?.field.text }.filter { !$0.isEmpty }
    }

    /// The typed text, for the next window.
    var carriedOver: CarriedOver {
        var carried = CarriedOver()
        carried.captured = unsavedTexts.last ?? ""
        carried.drafts = drafts
        for modal in modals where !(modal is CaptureBar) { modal.addDrafts(to: &carried.drafts) }
        return carried
    }

    /// Restores the text that was typed before the store was opened again.
    func restore(_ carried: CarriedOver) throws {
        drafts.keep(carried.drafts)
        tell("Opened the store again", .success)
        if carried.captured.isEmpty { return }
        let bar = CaptureBar(workspace: self)
        bar.field.text = carried.captured
        try bar.textDidChange(in: self)
        open(bar)
    }
}

/// The typed text of a window whose store is opened again.
public struct CarriedOver {
    var captured = ""
    var drafts = Drafts()

    public init() {}

    /// The typed texts, in case the store cannot be opened again.
    public var texts: [String] {
        let captures = (captured.isEmpty ? [] : [captured]) + drafts.captures.map(\.text)
        return captures + drafts.forms.flatMap { $0.fields.values.map(\.text).sorted() }
    }
}
