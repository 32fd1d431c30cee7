import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// Everything that commands work on: the library, the panes' controllers, the open modals.
///
/// It does not use a terminal: work that needs one is a ``Request``.
///
/// Split by concern: `+Messages`, `+Search`, `+Background`, and beside the commands that use it.
public final class Workspace: ChangeFollower {
    let library: Library
    /// The user's settings; ``Request/adoptSettings`` changes all that follows from them.
    var settings: Settings { didSet { applySettings() } }
    /// The file of the settings; `nil` if they are kept in this window only.
    public var settingsFile: SettingsFile?
    /// The changes of settings in this window.
    var settingSteps = SettingSteps()
    var look: Look
    var keyMap: KeyMap
    /// The pane with the focus.
    public internal(set) var focus = PaneID.items {
        didSet {
            if focus != oldValue, panes.kind(oldValue).isDroppedWhenLeft { panes.forget(oldValue) }
        }
    }
    /// The pane to which one that covers the screen returns.
    var left = PaneID.items
    private(set) lazy var panes = Panes(self, kinds)
    private let kinds: [PaneKind]
    /// Whether the panes have their heads on the screen, according to the last frame.
    var showsHeads = true
    let items: ItemsController
    let lists: ListsController
    let detail: DetailController
    let counts: CountsController
    let search: SearchController
    /// The numbers of items of lists that the search counts.
    var searchedCounts = SearchedCounts()
    let timer = TimerState()
    let sync: SyncState
    let conflicts: ConflictsState
    /// The item whose conflict a message has shown.
    var shownConflict: ManagedObjectID?
    /// The vault; nothing of it is read before it is opened.
    let vault: VaultSession
    /// The folders of Markdown files; nothing of them is read before one is shown.
    let folders: [FolderPlace]
    /// The folder that is shown in place of items.
    var shownFolder: FolderPlace?
    let folderChecks = FolderChecks()
    var messages = MessageBar()
    /// What others have done, and is told when the message of an own key has been read.
    var news: (text: String, steps: Int)?
    /// The message of others on the screen.
    var shownNews: String?
    /// Reads what the next key may ask a server for, unless one comes before: who holds a key does not
    /// wait for it.
    var readAhead: (start: ContinuousClock.Instant, work: () -> Void)?
    var modals: [any Modal] = []
    var requests: [Request] = []
    /// The names of the commands that were used last, the last one first.
    var usedCommands: [String] = []
    /// What the mouse drags.
    var drag: Drag?
    /// The widths that the user has given to panes.
    var widths = PaneWidths(path: nil)
    /// The tasks of which a message has just reminded, until the next key.
    var reminded: [ManagedObjectID] = []
    /// The number typed before a key, which repeats it.
    var count: Int?
    /// Keys pressed so far of a sequence.
    var prefix: [Key] = []
    /// The search that filters the items pane.
    var session = SearchSession()
    /// The last searches.
    var searchHistory = SearchHistory(path: nil)
    /// Whether commands take subtasks along, as it was answered in this session, by their titles.
    var subtaskAnswers: [String: Bool] = [:]
    /// What was typed into bars that were cancelled, by purpose.
    var keptTexts: [String: String] = [:]
    /// The text of cancelled forms and capture lines, offered once.
    var drafts = Drafts()
    /// Reads on other threads.
    let background: Background
    /// The pictures of the texts that are read.
    private(set) lazy var pictures = PictureShelf(background)
    /// Whether half blocks can show them.
    var hasColorsOfPictures = false
    /// Up to this number of changed items, the panes follow each change; for more, reading
    /// everything again costs less.
    var followed = 2000
    /// The command that runs in parts between events.
    var longRun: LongRun?
    /// The running import.
    var importRun: ImportRun?
    /// Whether nothing but a bar is shown, with whose end the program ends.
    var isForOneBar = false
    /// The lesson that is shown; `nil` outside of `docket tour`.
    var tour: Tour?
    /// How many items of an import are saved, and appear, together.
    var importBatch = 2_000
    private var feed: ChangeFeed?

    init(
        library: Library,
        settings: Settings,
        look: Look,
        keyMap: KeyMap,
        panes kinds: [PaneKind],
        scope: Scope,
        itemsAtOnce: Int
    ) {
        self.kinds = kinds
        self.settings = settings
        folders = settings.folders.map(FolderPlace.init)
        self.library = library
        self.look = look
        self.keyMap = keyMap
        vault = VaultSession(library.vault)
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
        lists = ListsController(library: library, folders: self.folders)
        detail = DetailController(library: library)
        search = SearchController(library: library, background: background)
        sync = SyncState(store: library.path)
        conflicts = ConflictsState(library: library)
        feed = ChangeFeed(
            library.context,
            items: items,
            lists: lists,
            search: search,
            counts: counts,
            window: self
        )
        applySettings()
        items.expectedCount = { [unowned self] in expectedCount(of: $0) }
        items.overdueCount = { counts.counts[.smart(.overdue)] ?? 0 }
        items.isInConflict = { [unowned self] in conflicts.contains($0) }
        items.takesMarks = { [unowned self] in paneKind.takes.contains(.marks) }
    }

    func follow(_ change: ObjectsDidChange) {
        formIsStale = true
        if change.concernsTime(besides: counts.quietTime, nextReminder) { noteTimes() }
        timer.markStale()
        conflicts.follow(change)
        markSearchStale()
    }

    /// Tasks have other dates than those of which the next one was found.
    func noteTimes() {
        clockIsStale = true
        counts.quietTime = nil
    }

    /// The next reminder, `distantFuture` without one; `nil` before it is known.
    var nextReminder: Date?
    /// Whether another moment may be the next one at which a list changes because of the time.
    var clockIsStale = true
    /// Whether an open form has to look for saves of others.
    private var formIsStale = false

    // MARK: Modals

    var modal: (any Modal)? { modals.last }

    func open(_ modal: any Modal) { modals.append(modal) }

    func close(_ modal: any Modal) { modals.removeAll { $0 === modal } }

    // MARK: Scopes

    /// Shows a list and ends the search.
    func show(_ scope: Scope) throws {
        session = session.ended
        leaveFolder()
        try lists.prepare()
        let scope = lists.current(scope)
        try items.show(scope)
        settleFocus()
        lists.select(scope)
    }

    /// Updates everything before a frame.
    func prepare() {
        if tour != nil, modals.isEmpty {
            tour?.follow(try? library.undoSteps(limit: 1).first?.command)
        }
        do {
            if try conflicts.update() { noteConflicts() }
            try lists.prepare()
            if !lists.exists(items.scope) { try show(.smart(.all)) }
            try items.follow(lists.current(items.scope))
            if session.isStale { try runSearch() }
            if formIsStale {
                formIsStale = false
                for case let form as Form in modals { try form.noticeOthers(in: library) }
            }
        } catch {
            tell(error)
        }
        counts.update()
        do { try timer.update(library) } catch { tell(error) }
        items.prepare()
        shownFolder?.prepare()
        do {
            let shown = paneKind.place == .whole ? [focus] : panes.columns
            for id in shown { try panes[id].prepare() }
        } catch { tell(error) }
    }
}
