import DocketCore
import ObjectGraph
import TerminalUI

/// All that commands act upon: the library, the panes' controllers, what is open above them.
///
/// It knows no terminal: what needs one is a ``Request``.
///
/// Split by concern: `+Messages`, `+Search`, `+Background`; what commands do to it stands with them.
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
    /// The search that narrows the items pane.
    var searchText = ""
    var searchIsEverywhere = true
    /// How many items the search found by which field; empty until counted.
    var searchCounts: [SearchField: Int] = [:]
    var searchCountsAreStale = false
    /// The counts that are being worked out between events.
    var searchCounting: SearchCounting?
    var undoCount = 0
    var undoCountIsStale = true
    /// What a cancelled form held, offered once.
    var draft: FormDraft?
    /// Up to so many changed items, the panes follow each of them; beyond, reading everything again
    /// costs less.
    var followed = 2000
    /// The command that is done in parts between events.
    var longRun: LongRun?
    private var observation: ContextObservation?

    static let undoLimit = 100

    init(library: Library, look: Look, keyMap: KeyMap, scope: Scope) {
        self.library = library
        self.look = look
        self.keyMap = keyMap
        // The counts watch first: they compare with what was saved.
        counts = CountsController(library: library)
        items = ItemsController(library: library, scope: scope)
        lists = ListsController(library: library)
        detail = DetailController(library: library)
        search = SearchController(library: library)
        observation = ContextObservation(library.context) { [weak self] in self?.note($0) }
    }

    private func note(_ change: ObjectsDidChange) {
        undoCountIsStale = true
        if !searchText.isEmpty { searchIsStale = true }
    }

    /// Whether the search has to be made anew, since items changed.
    var searchIsStale = false
    /// Whether the search has to be made anew when all texts are loaded.
    var searchIsPartial = false

    // MARK: Modals

    var modal: (any Modal)? { modals.last }

    func open(_ modal: any Modal) { modals.append(modal) }

    func close(_ modal: any Modal) { modals.removeAll { $0 === modal } }

    // MARK: Scopes

    /// Shows a list; what is left of a search goes.
    func show(_ scope: Scope) throws {
        clearSearchText()
        try items.show(scope)
        try lists.prepare()
        lists.select(scope)
    }

    /// Shows the first items of a list at once, the rest after the first frame.
    func showFirst(_ scope: Scope) throws {
        try items.showFirst(scope)
        try lists.prepare()
        lists.select(scope)
    }

    /// Brings everything up to date before a frame.
    func prepare() {
        do {
            try lists.prepare()
            if !lists.exists(items.scope) { try show(.smart(.all)) }
            if searchIsStale { try runSearch() }
        } catch {
            tell(error)
        }
        items.prepare()
    }
}
