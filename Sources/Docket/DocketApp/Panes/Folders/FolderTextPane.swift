import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import MarkdownFolder
import ObjectGraph
import TerminalUI

/// The text of the selected Markdown file; it is read when the pane is drawn.
final class FolderTextPane: Pane {
    static let kind = PaneKind(
        id: .folderText,
        place: .right,
        content: [.folder],
        title: "Text",
        takes: [.window, .history, .list, .items, .marks]
    ) { FolderTextPane($0) }

    private unowned let workspace: Workspace
    private let detail: DetailController
    private var place: FolderPlace? { workspace.shownFolder }
    private var library: FolderLibrary? { place?.library }

    init(_ workspace: Workspace) {
        self.workspace = workspace
        detail = DetailController(library: workspace.library)
    }

    var head: String {
        place?.selectedDocument.map { DisplayWidth.singleLine($0.title) } ?? ""
    }

    func move(by rows: Int) { detail.scroll(by: rows) }
    func page(_ windows: Int) { detail.page(windows) }
    func moveToEnd(first: Bool) { detail.scrollToEnd(first: first) }

    var cannotOpen: String? {
        if place?.selectedLine?.isFolder == true {
            return localized("This is a folder; Enter in the pane to the left unfolds it.")
        }
        return place?.selectedDocument == nil
            ? localized("There is no note here.") : workspace.folderIsReadOnly
    }
    func open() {}
    var cannotReorder: String? { workspace.folderIsReadOnly }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let look = workspace.look
        guard let document = place?.selectedDocument else {
            detail.clear()
            library?.dropText()
            return PaneExtent()
        }
        let columns = max(1, canvas.columns - 2)
        let lines = lines(of: document, columns, look)
        return detail.render(lines, into: &canvas, look: look, isFocused: isFocused)
    }

    private func lines(of document: Document, _ columns: Int, _ look: Look) -> DetailLines {
        var above: [RichLine] = []
        func add(_ text: String, _ role: Role, to lines: inout [RichLine]) {
            if text.isEmpty { return }
            lines += RichWrap.wrap([.init(text: text, role: role)], columns: columns)
        }
        let title = DisplayWidth.singleLine(document.title)
        if !workspace.showsHeads || DisplayWidth.of(title) > columns {
            add(title, .title, to: &above)
        }
        let path =
            [place?.setting.name ?? ""] + document.path.split(separator: "/").map(String.init)
        let crumbs = path.map { DisplayWidth.singleLine($0) }
        add(crumbs.joined(separator: " \(look.signs.crumb) "), .dim, to: &above)
        add(
            document.tagList.map { "#\(DisplayWidth.singleLine($0))" }.joined(separator: " "),
            .tag,
            to: &above
        )
        let (text, problem) = content(of: document)
        for problem in [document.frontMatterProblem, problem].compactMap(\.self) {
            add(DisplayWidth.singleLine(problem), .warning, to: &above)
        }
        var below = [RichLine()]
        if let modified = document.modified {
            let ago = DateFormat(context: workspace.library.clock()).ago(modified)
            let size = HistoryPolicy.size(Int(document.size))
            add(localized("changed \(ago) \(look.signs.separator) \(size)"), .dim, to: &below)
        }
        var lines = detail.lines(
            of: document.objectID,
            above: above,
            text: text,
            columns: columns,
            look: look
        )
        lines.add(below)
        return lines
    }

    /// The text, or why it is not there.
    private func content(of document: Document) -> (text: String, problem: String?) {
        do {
            guard let found = try library?.text(of: document) else { return ("", nil) }
            return (String(found.body), found.problem)
        } catch {
            return ("", (error as? ObjectGraphError)?.message ?? "\(error)")
        }
    }

    func handle(_ mouse: MouseEvent, in area: Rect) {
        detail.handle(mouse, in: area) { _ in
            if let reason = cannotOpen { workspace.tell("\(reason)", .warning) }
        }
    }
}
