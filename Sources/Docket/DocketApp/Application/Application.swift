import CivilTime
public import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
public import TerminalUI

// The loop:
//   1. update the controllers and present one frame, unless nothing can have changed;
//   2. wait for events: without limit if there is nothing to do, not at all if there is background
//      work, else until the next moment at which the screen changes because of the time;
//   3. handle all events, then the requests that commands made;
//   4. if no input came, do one slice of background work (counts, search, history).

/// The running interface on a terminal, or on a stand-in for tests.
public final class Application {
    let device: any TerminalDevice
    var settings: Settings { workspace.settings }
    /// Called after settings have changed, for what the program has beside the interface.
    public var whenSettingsChange: (Settings) -> Void = { _ in }
    public let workspace: Workspace
    let dispatcher: Dispatcher
    /// Whether the saves of other programs are shown.
    var isFollowing = false
    /// Returns once whether the wall clock or the time zone has jumped.
    public var takeClockStep: () -> Bool = { false }
    /// Wakes the loop from another thread, after something was read there.
    public var wake: @Sendable () -> Void {
        get { workspace.background.wake }
        set { workspace.background.wake = newValue }
    }
    /// Whether to look for changes of others at each input, because no notification is available.
    var looksAtInput = false
    /// Which reminders were announced; `nil` for a program that reminds of nothing.
    var reminders: ReminderMark?
    /// Shows reminders outside of the terminal too, each a title and a text; waits for nothing.
    public var notify: ([(title: String, text: String)]) -> Void = { _ in }
    /// Whether the title of the terminal is that of a reminder, until the next key.
    var isReminding = false
    /// The user's editor as words, from the environment.
    public var editor: [String] = ["vi"]
    /// The program that opens addresses and files, as words.
    public var opener: [String] = ["xdg-open"]
    /// Starts a program beside this one; whether it is there.
    public var launch: ([String]) -> Bool = { _ in false }
    /// Called when the settings have servers: their notes are to be watched.
    public var whenServersAreSet: () -> Void = {}
    /// The places of the views on the screen, for the mouse.
    var layout: ScreenLayout
    /// The day for which lists with dates were fetched.
    var clockDay: Day
    var nextChange: ContinuousClock.Instant?
    /// The place for drafts; `nil` without one.
    var draftFile: DraftFile?
    var writtenDrafts = Drafts()
    /// When to write typed text, and when it began to differ from the written one.
    var draftDeadline: ContinuousClock.Instant?
    var draftBeginning: ContinuousClock.Instant?
    /// The last reported reason why drafts could not be written.
    var draftFailure: String?
    /// When to move the log into the store's file, unless something happens before.
    var restAt: ContinuousClock.Instant?
    /// The size of the log after the last time.
    var restedSize = 0
    /// Whether the history was cut to the limits of the settings.
    var hasTrimmed = false
    /// The typed text for a window on the store that is at the path now; `nil` if the program is to
    /// end.
    public private(set) var carriedOver: CarriedOver?
    /// Whether the screen must be redrawn.
    var isStale = true
    /// The exit status, when the program is to end.
    private(set) var status: Int32?

    /// - Parameters:
    ///   - library: the open store.
    ///   - device: the terminal.
    ///   - settings: the user's settings.
    ///   - itemsAtOnce: how many items are fetched before they are shown; of a longer list the
    ///     first ones are shown while the rest is fetched.
    /// - Throws: `ObjectGraphError` if the store cannot be read.
    public init(
        library: Library,
        device: any TerminalDevice,
        settings: Settings,
        itemsAtOnce: Int = 10_000
    ) throws {
        self.device = device
        let keyMap = try settings.keyMap()
        let look = settings.look(colors: device.colors)
        workspace = Workspace(
            library: library,
            settings: settings,
            look: look,
            keyMap: keyMap,
            panes: PaneTable.all,
            scope: .smart(settings.startList),
            itemsAtOnce: itemsAtOnce
        )
        workspace.hasColorsOfPictures = device.colors >= 256 && !settings.noColor
        dispatcher = Dispatcher(workspace: workspace)
        layout = ScreenLayout(
            size: device.size,
            focus: .items,
            columns: workspace.panes.columns,
            panes: workspace.panes.kind,
            barRows: 0
        )
        clockDay = library.clock().today
        try inItsLanguage {
            try workspace.show(.smart(settings.startList))
            if let view = settings.startView {
                CommandTable.command("\(view).show")?.perform(in: workspace)
            }
            if let warning = settings.warning {
                workspace.messages.show(warning, .warning, at: .now, staysUntilKey: true)
            }
            workspace.offerUnfinishedCommand()
        }
        tellDoubtfulPages()
        workspace.library.whenHookSpeaks = { [weak workspace] words in
            workspace?.requests.append(.say(words))
        }
    }

    /// Shows at once, and once, that pages of the store may be damaged.
    private func tellDoubtfulPages() {
        let library = workspace.library
        let name = library.path.split(separator: "/").last.map(String.init) ?? library.path
        library.whenDoubtful = { [weak workspace] report in
            workspace?.messages.show(
                report.sentence(name),
                .warning,
                at: .now,
                staysUntilKey: true
            )
        }
    }

    /// Runs until the user quits or the system asks for it.
    ///
    /// - Returns: the exit status.
    public func run() -> Int32 {
        device.setTitle("Docket")
        while true {
            if isStale { drawFrame() }
            isStale = false
            handle(device.events(until: deadline))
            if let status {
                // Keys may have arrived together with the event that ends the program, also after
                // it.
                writeDrafts()
                closeVault()
                return status
            }
        }
    }

    /// Handles events that arrived together, and uses the time if no input came.
    func handle(_ events: [TerminalEvent]) { inItsLanguage { handleEvents(events) } }

    /// Makes the texts of some work in the language of the settings.
    func inItsLanguage<Result>(_ work: () throws -> Result) rethrows -> Result {
        try Language.$current.withValue(settings.time.language, operation: work)
    }

    private func handleEvents(_ events: [TerminalEvent]) {
        let message = workspace.messages
        defer { if workspace.messages != message { isStale = true } }
        if workspace.items.hasLoaded { completeItems() }
        for event in events { act(on: event) }
        if events.contains(where: \.isInput) {
            workspace.vault.noteActivity()
            endReminding()
            noteInputForTimer()
        }
        if looksAtInput, events.contains(where: \.isInput) { takeExternalChanges() }
        performRequests()
        workspace.tellNews()
        if workspace.isForOneBar, workspace.modals.isEmpty, status == nil { status = 0 }
        if events.contains(where: \.isInput) { followDrafts() }
        scheduleRest()
        if status == nil, !events.contains(where: \.isInput) { work() }
    }

    private func completeItems() {
        do {
            try workspace.items.complete()
        } catch {
            workspace.tell(error)
        }
        isStale = true
    }

    /// Shows the line of quick capture alone; the program ends with it.
    public func capture() {
        workspace.isForOneBar = true
        inItsLanguage { workspace.open(CaptureBar(workspace: workspace)) }
    }

    /// Selects an item, in the first list or one that has it.
    public func show(_ item: Item) throws {
        try inItsLanguage { try workspace.goToItem(item.objectID) }
    }

    /// Shows all items, and the first instruction of the tour.
    public func beginTour() throws {
        try workspace.show(.smart(.all))
        workspace.tour = Tour()
    }

    /// What the program has to say at its end; `nil` if nothing was added.
    public var addition: String? {
        workspace.messages.kind == .success ? workspace.messages.text : nil
    }

    // MARK: Waiting

    /// Whether there is work without input.
    var hasWork: Bool {
        workspace.longRun != nil || hasVaultWork || workspace.items.hasLoaded
            || workspace.counts.hasWork || workspace.hasFolderWork
            || workspace.session.hasCounting || workspace.clockIsStale
            || workspace.hasListsToCount || workspace.search.hasWork || workspace.pane.hasWork
            || workspace.timer.hasWork || workspace.hasSyncWork
    }

    private var deadline: ContinuousClock.Instant? { hasWork ? .now : timer }

    /// The next moment at which the screen changes because of the time.
    private var timer: ContinuousClock.Instant? {
        [
            workspace.messages.deadline, nextChange, workspace.counts.deadline, draftDeadline,
            restAt, workspace.vault.deadline, workspace.timer.nextTick, workspace.readAhead?.start,
        ]
        .compactMap { $0 }.min()
    }

    /// One slice of background work: first the work that is visible.
    private func work() {
        if hasVaultWork { return doVaultWork() }
        if let readAhead = workspace.readAhead, readAhead.start <= .now {
            workspace.readAhead = nil
            return readAhead.work()
        }
        if workspace.longRun != nil {
            workspace.advanceLongCommand()
            isStale = true
            return
        }
        if workspace.pane.hasWork {
            do { try workspace.pane.work() } catch { workspace.tell(error) }
            isStale = true
            return
        }
        if workspace.hasFolderWork {
            workspace.workOnFolders()
            isStale = true
            return
        }
        if workspace.session.isPartial {
            workspace.loadSearch()
            if !workspace.session.isPartial { isStale = true }
            return
        }
        if workspace.session.hasCounting {
            if workspace.countFound() { isStale = true }
            return
        }
        // Only another number is visible: one command is one frame.
        if workspace.counts.hasWork {
            if workspace.counts.work() { isStale = true }
        } else if workspace.clockIsStale {
            workspace.clockIsStale = false
            scheduleClock()
        } else if workspace.timer.hasWork {
            readTimer()
        } else if workspace.hasSyncWork {
            readSync()
        } else if workspace.hasListsToCount {
            if workspace.countOneList() { isStale = true }
        } else if workspace.search.hasWork {
            workspace.search.work()
        }
    }

    // MARK: Events

    private func act(on event: TerminalEvent) {
        // A look for changes without a result costs no frame.
        if !event.isQuiet { isStale = true }
        switch event {
        case .input(.mouse(let mouse)): act(on: mouse)
        case .input(.report(.background(let color))): adopt(background: color)
        case .input(.report(let report)): workspace.pictures.adopt(report)
        case .input(let input): dispatcher.handle(input)
        case .resized, .resumed: break
        case .suspensionAsked:
            writeDrafts()
            lockVault()
            device.suspend()
        case .terminationAsked(let signal):
            // Commands are saved already; typed text is not a command.
            writeDrafts()
            workspace.stopImport()
            status = signal == 0 ? 0 : 128 + signal
        case .woken:
            if takeClockStep() { nextChange = .now }
            // A long command looks for saves of others before each part.
            if workspace.longRun != nil { return }
            refreshClock()
            takeExternalChanges()
            takeSyncNews()
            if workspace.takeFolderChanges() { isStale = true }
            if workspace.importRun != nil {
                workspace.endImportIfDone()
                isStale = true
            }
            takeVaultChanges()
        case .timedOut:
            _ = workspace.messages.expire(at: .now)
            refreshClock()
            if let deadline = workspace.vault.deadline, deadline <= .now { tickVault() }
            if let tick = workspace.timer.nextTick, tick <= .now { isStale = true }
            writeDraftsIfDue()
            restIfQuiet()
        }
    }

    /// Shows a sentence that the user must read.
    public func warn(_ sentence: String) { workspace.tell("\(sentence)", .warning) }

    /// Continues with the text of a window whose store was opened again.
    public func restore(_ carried: CarriedOver) throws { try workspace.restore(carried) }

    private func adopt(background: Color) {
        workspace.settings.isLight = background.isLight
        workspace.look = settings.look(colors: device.colors)
    }

    /// Continues with other settings, as after a start with them.
    private func adoptSettings() {
        do {
            workspace.keyMap = try settings.keyMap()
        } catch {
            workspace.tell(error)
        }
        workspace.look = settings.look(colors: device.colors)
        workspace.sync.isRead = false
        let former = workspace.library.clock()
        whenSettingsChange(settings)
        let clock = workspace.library.clock()
        if former.settings == clock.settings, former.weekStart == clock.weekStart { return }
        // Dates are read and written in another way.
        nextChange = .now
        refreshClock()
    }

    // MARK: Requests

    func performRequests() {
        if !workspace.requests.isEmpty { writeDrafts() }
        // One may ask for another, as the end of an edit does.
        while !workspace.requests.isEmpty {
            switch workspace.requests.removeFirst() {
            case .quit:
                workspace.stopImport()
                status = 0
            case .reopen:
                carriedOver = workspace.carriedOver
                status = 0
            case .suspend:
                lockVault()
                device.suspend()
            case .redraw: device.redraw()
            case .adoptSettings: adoptSettings()
            case .copy(let text):
                if !device.copy(text) { workspace.tell("The text is too long to copy.", .warning) }
            case .copySecret(let text):
                if device.copy(text) {
                    workspace.vault.noteCopy()
                } else {
                    workspace.tell("The text is too long to copy.", .warning)
                }
            case .forgetSecrets: forgetSecrets()
            case .say(let words):
                // Beside what the command itself has to say.
                let all = [workspace.messages.text, words].compactMap(\.self)
                workspace.messages.show(
                    all.joined(separator: "\n"),
                    workspace.messages.kind ?? .info,
                    at: .now,
                    for: .seconds(10)
                )
            case .show(let address): show(address)
            case .edit(let text, let suffix, let apply): edit(text, suffix, apply)
            }
        }
    }

    private func show(_ address: String) {
        let words = opener + [address]
        let short = workspace.quoted(address)
        if launch(words) {
            workspace.tell("Opened \(short) by \(opener[0])")
        } else {
            workspace.tell(
                "\(short) cannot be opened: the command \(opener[0]) is missing.",
                .warning
            )
        }
    }

    private func edit(_ text: String, _ suffix: String, _ apply: (String) throws -> Void) {
        do {
            try EditorFile(text: text, suffix: suffix)
                .edit({ try device.run(editor + [$0]) }, then: apply)
        } catch {
            // It may contain the only copy of a text, so it stays until the user has read it.
            let text = (error as? InputError)?.message ?? "\(error)"
            workspace.messages.show(text, .error, at: .now, staysUntilKey: true)
        }
    }
}

extension TerminalEvent {
    /// Whether it shows nothing without being asked.
    fileprivate var isQuiet: Bool {
        switch self {
        case .woken, .timedOut: true
        default: false
        }
    }

    fileprivate var isInput: Bool {
        if case .input = self { return true }
        return false
    }
}
