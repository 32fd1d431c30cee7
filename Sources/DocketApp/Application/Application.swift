package import DocketCore
import FoundationEssentials
import ObjectGraph
package import TerminalUI

// The loop:
//   1. bring the controllers up to date and present one frame, unless nothing can have changed;
//   2. wait for events: for ever when there is nothing to do, not at all when there is background
//      work, else until the next moment at which the screen changes by itself;
//   3. act on all events that came, then on the requests that commands made;
//   4. when no input came, do one slice of background work (counts, search, history).

/// The running interface on a terminal, or on a stand-in for tests.
package final class Application {
    let device: any TerminalDevice
    let settings: Settings
    package let workspace: Workspace
    let dispatcher: Dispatcher
    /// Reads what other processes changed since the last time; see ``Interface`` of the program.
    package var externalChanges: (() throws -> [String])?
    /// Tells once whether the wall clock or the time zone has become another by a step.
    package var takeClockStep: () -> Bool = { false }
    /// Wakes the loop from another thread, when something was read there.
    package var wake: @Sendable () -> Void {
        get { workspace.background.wake }
        set { workspace.background.wake = newValue }
    }
    /// Whether others' changes are looked for at each input, because nobody tells of them.
    package var looksAtInput = false
    /// The user's editor as words, from the environment.
    package var editor: [String] = ["vi"]
    /// What the screen shows where, for the mouse.
    var layout: ScreenLayout
    var lastClick: (position: Position, time: ContinuousClock.Instant)?
    var dragged: ManagedObjectID?
    /// The day for which lists with dates were fetched.
    var clockDay: Day
    var nextChange: ContinuousClock.Instant?
    /// Where drafts are kept; `nil` without a place for them.
    var draftFile: DraftFile?
    var writtenDrafts = Drafts()
    /// When to write what is being typed, and when it began to differ from what is written.
    var draftDeadline: ContinuousClock.Instant?
    var draftBeginning: ContinuousClock.Instant?
    /// Why drafts could not be written, as it was told.
    var draftFailure: String?
    /// When to bring the store's file to rest, unless something happens before.
    var restAt: ContinuousClock.Instant?
    /// What was left beside the file the last time.
    var restedSize = 0
    /// Whether the history was cut to what the settings promise.
    var hasTrimmed = false
    /// What was typed, for a window on the store as it is at its path now; `nil` if the program is
    /// to end.
    package private(set) var carriedOver: CarriedOver?
    /// Whether the screen has to be drawn.
    var isStale = true
    /// The exit status once the program is to end.
    private(set) var status: Int32?

    /// - Parameters:
    ///   - library: the open store.
    ///   - device: the terminal.
    ///   - settings: what the user has set.
    ///   - itemsAtOnce: how many items are fetched before they are shown; of more the first ones
    ///     are shown while the rest is fetched.
    /// - Throws: `ObjectGraphError` if the store cannot be read.
    package init(
        library: Library,
        device: any TerminalDevice,
        settings: Settings,
        itemsAtOnce: Int = 10_000
    ) throws {
        self.device = device
        self.settings = settings
        let keyMap = try settings.keyMap()
        let look = settings.look(colors: device.colors)
        workspace = Workspace(
            library: library,
            look: look,
            keyMap: keyMap,
            scope: .smart(settings.startList),
            itemsAtOnce: itemsAtOnce
        )
        dispatcher = Dispatcher(workspace: workspace)
        layout = ScreenLayout(size: device.size, focus: .items, barRows: 0)
        clockDay = library.clock().today
        try workspace.show(.smart(settings.startList))
        if let warning = settings.warning {
            workspace.messages.show(warning, .warning, at: .now, staysUntilKey: true)
        }
        workspace.offerUnfinishedCommand()
    }

    /// Runs until the user quits or the system asks for it.
    /// - Returns: the exit status.
    package func run() -> Int32 {
        device.setTitle("Docket")
        while true {
            if isStale { present() }
            isStale = false
            handle(device.events(until: deadline))
            if let status {
                // Keys may have come together with what ends the program, and after it.
                writeDrafts()
                return status
            }
        }
    }

    /// Acts on events that came together, and uses the time when no input came.
    func handle(_ events: [TerminalEvent]) {
        let message = workspace.messages
        defer { if workspace.messages != message { isStale = true } }
        if workspace.items.hasLoaded { completeItems() }
        for event in events { act(on: event) }
        if looksAtInput, events.contains(where: \.isInput) { takeExternalChanges() }
        performRequests()
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

    // MARK: Waiting

    /// Whether something waits for a moment without input.
    var hasWork: Bool { hasVisibleWork || workspace.search.hasWork }

    private var hasVisibleWork: Bool {
        workspace.longRun != nil || workspace.items.hasLoaded || workspace.counts.hasWork
            || workspace.undoCountIsStale || workspace.searchCountsAreStale
    }

    private var deadline: ContinuousClock.Instant? { hasWork ? .now : timer }

    /// The next moment at which the screen changes by itself.
    private var timer: ContinuousClock.Instant? {
        [
            workspace.messages.deadline, nextChange, workspace.counts.deadline, draftDeadline,
            restAt,
        ]
        .compactMap { $0 }.min()
    }

    /// One slice of what can wait: what is on the screen first.
    private func work() {
        if workspace.longRun != nil {
            workspace.advanceLongCommand()
            isStale = true
            return
        }
        if workspace.searchIsPartial {
            workspace.loadSearch()
            if !workspace.searchIsPartial { isStale = true }
            return
        }
        if workspace.searchCountsAreStale {
            if workspace.countSearchSlice() { isStale = true }
            return
        }
        // Texts that are loaded ahead of a search do not show.
        if hasVisibleWork { isStale = true }
        if workspace.counts.hasWork {
            workspace.counts.work()
        } else if workspace.undoCountIsStale {
            workspace.countUndoSteps()
            scheduleClock()
        } else if workspace.search.hasWork {
            workspace.search.work()
        }
    }

    // MARK: Events

    private func act(on event: TerminalEvent) {
        // Who looks whether there is anything new, and finds nothing, costs no frame.
        if !event.isQuiet { isStale = true }
        switch event {
        case .input(.mouse(let mouse)): act(on: mouse)
        case .input(.report(.background(let color))): adopt(background: color)
        case .input(let input): dispatcher.handle(input)
        case .resized, .resumed: break
        case .suspensionAsked:
            writeDrafts()
            device.suspend()
        case .terminationAsked(let signal):
            // Commands are saved already; what is being typed is not a command.
            writeDrafts()
            status = signal == 0 ? 0 : 128 + signal
        case .woken:
            if takeClockStep() { nextChange = .now }
            // A long command looks for what others saved before each part.
            if workspace.longRun != nil { return }
            refreshClock()
            takeExternalChanges()
        case .timedOut:
            _ = workspace.messages.expire(at: .now)
            refreshClock()
            writeDraftsIfDue()
            restIfQuiet()
        }
    }

    /// Shows a sentence that the user has to know.
    package func warn(_ sentence: String) { workspace.tell(sentence, .warning) }

    /// Goes on where a window ended whose store was opened again.
    package func take(_ carried: CarriedOver) throws { try workspace.take(carried) }

    private func adopt(background: Color) {
        guard settings.theme == nil else { return }
        let look = settings.look(colors: device.colors, isLight: background.isLight)
        workspace.look = look
    }

    // MARK: Requests

    private func performRequests() {
        let requests = workspace.requests
        workspace.requests = []
        if !requests.isEmpty { writeDrafts() }
        for request in requests {
            switch request {
            case .quit: status = 0
            case .reopen:
                carriedOver = workspace.carriedOver
                status = 0
            case .suspend: device.suspend()
            case .redraw: device.redraw()
            case .copy(let text):
                if !device.copy(text) { workspace.tell("The text is too long to copy.", .warning) }
            case .edit(let text, let suffix, let apply): edit(text, suffix, apply)
            }
        }
    }

    private func edit(_ text: String, _ suffix: String, _ apply: (String) throws -> Void) {
        do {
            try EditorFile(text: text, suffix: suffix)
                .edit({ try device.run(editor + [$0]) }, then: apply)
        } catch {
            // It may name the only place of a text: it stays until it was read.
            let text = (error as? InputError)?.message ?? "\(error)"
            workspace.messages.show(text, .error, at: .now, staysUntilKey: true)
        }
    }
}

extension TerminalEvent {
    /// Whether it shows nothing by itself.
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
