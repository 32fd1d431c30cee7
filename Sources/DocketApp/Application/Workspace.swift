import DocketCore
import ObjectGraph
import TerminalUI

/// Everything that commands work on: the library, the panes' controllers, the open modals.
///
/// It does not use a terminal: work that needs one is a ``Request``.
///
/// Split by concern: `+Messages`, `+Search`, `+Background`, and beside the commands that use it.
package final class Workspace {
    let library: Library
    var look: Look
    var keyMap: KeyMap
    var focus = Pane.items
    let items: ItemsController
    let lists: ListsController
    let detail: DetailController
    let counts: CountsController
    let search: SearchController
    var messages = MessageBar()
    var modals: [any Modal] = []
    var requests: [Request] = []
    /// Keys pressed so far of a sequence.
    var prefix: [Key] = []
    /// The text of the search that filters the items pane.
    var searchText = ""
    var searchIsEverywhere = true
    /// How many items the search found by field; empty until counted.
    var searchCounts: [SearchField: Int] = [:]
    var searchCountsAreStale = false
    /// The running count, which continues between events.
    var searchCounting: SearchCounting?
    var undoCount = 0
    var undoCountIsStale = true
    /// The text of cancelled forms and capture lines, offered once.
    var drafts = Drafts()
    /// Reads on other threads.
    let background: Background
    /// Up to this number of changed items, the panes follow each change; for more, reading
    /// everything again costs less.
    var followed = 2000
    /// The command that runs in parts between events.
    var longRun: LongRun?
    private var observation: ContextObservation?

    static let undoLimit = 100

    init(library: Library, look: Look, keyMap: KeyMap, scope: Scope, itemsAtOnce: Int) {
        self.library = library
        self.look = look
        self.keyMap = keyMap
        let background = Background(library.context.coordinator)
        self.background = background
        let counts = CountsController(library: library, background: background)
        self.counts = counts
        items = ItemsController(
            library: library,
            background: background,
            scope: scope,
            itemsAtOnce: itemsAtOnce
        )
        items.expectedCount = { [unowned counts] in counts.expectedCount(of: $0) }
        lists = ListsController(library: library)
        detail = DetailController(library: library)
        search = SearchController(library: library, background: background)
        observation = ContextObservation(library.context) { [weak self] in self?.note($0) }
    }

    private func note(_ change: ObjectsDidChange) {
        undoCountIsStale = true
        formIsStale = true
        if !searchText.isEmpty { searchIsStale = true }
    }

    /// Whether to search again, because items have changed.
    var searchIsStale = false
    /// Whether to search again when all texts are loaded.
    var searchIsPartial = false

    /// Whether an open form has to look for saves of others.
    private var formIsStale = false

    // MARK: Modals

    var modal: (any Modal)? { modals.last }

    func open(_ modal: any Modal) { modals.append(modal) }

    func close(_ modal: any Modal) { modals.removeAll { $0 === modal } }

    // MARK: Scopes

    /// Shows a list and ends the search.
    func show(_ scope: Scope) throws {
        clearSearchText()
        try items.show(scope)
        try lists.prepare()
        lists.select(scope)
    }

    /// Updates everything before a frame.
    func prepare() {
        do {
            try lists.prepare()
            if !lists.exists(items.scope) { try show(.smart(.all)) }
            if searchIsStale { try runSearch() }
            if formIsStale {
                formIsStale = false
                for case let form as Form in modals { try form.noticeOthers(in: library) }
            }
        } catch {
            tell(error)
        }
        items.prepare()
        counts.update()
    }
}
