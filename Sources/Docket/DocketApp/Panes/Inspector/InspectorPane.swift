import DocketCore
import FoundationEssentials
import ObjectGraph
import StoreBrowser
import StoreExploring
import TerminalUI

/// What is in a store, of Docket or of another program: entities, objects, relationships.
///
/// It only reads. The store is closed when the pane is left, because reading holds a state of a log
/// that is being written.
final class InspectorPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "inspector"),
        place: .whole,
        isDroppedWhenLeft: true,
        title: "Store",
        keyContext: .inspector,
        takes: [.window],
        commands: commands
    ) { InspectorPane($0) }

    private unowned let workspace: Workspace
    private(set) var browser: StoreBrowser?

    init(_ workspace: Workspace) { self.workspace = workspace }

    func show(_ browser: StoreBrowser) {
        browser.askForFilter = { [weak self] in self?.openFilter() }
        self.browser = browser
    }

    var head: String { localized("Store \(browser?.name ?? "")") }
    var status: [String] { (browser?.facts ?? []) + [localized("read only")] }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        browser?.render(into: &canvas, theme: workspace.look.theme, isFocused: isFocused)
        // It has two lists, each with a scroll position of its own.
        return PaneExtent()
    }

    func move(by rows: Int) { browser?.move(by: rows) }
    func page(_ windows: Int) { browser?.page(windows) }
    func moveToEnd(first: Bool) { browser?.moveToEnd(first: first) }
    func leaveLevel() -> Bool { browser?.leaveLevel() ?? false }

    func open() throws { try perform(.open) }

    func perform(_ action: BrowserAction) throws {
        try telling { try browser?.perform(action) }
    }

    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        try telling { try browser?.handle(mouse, in: area) }
    }

    /// Tells why something has no effect.
    private func telling(_ work: () throws -> Void) throws {
        do { try work() } catch let refusal as BrowserRefusal {
            workspace.tell("\(refusal.description)", .warning)
        }
    }

    private func openFilter() {
        guard let browser else { return }
        workspace.open(
            FilterBar(
                text: browser.presentFilter,
                show: { browser.follow(filter: $0) },
                keep: { try browser.apply(filter: $0) }
            )
        )
    }
}

extension Workspace {
    /// Shows what is in a store.
    ///
    /// - Throws: the reason why the file cannot be read, or is not a store; then nothing has changed.
    func inspect(_ path: String) throws {
        let url = URL(filePath: path)
        let browser = try StoreBrowser(StoreInspector(url), name: url.lastPathComponent)
        (panes[InspectorPane.kind.id] as? InspectorPane)?.show(browser)
        go(to: InspectorPane.kind.id)
    }
}
