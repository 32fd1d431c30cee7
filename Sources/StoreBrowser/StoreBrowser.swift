package import StoreInspection
package import TerminalUI

// A full-screen view of a store: the entities with their counts, and beside them the objects of the
// selected one, or one object with its values. What was opened is a stack: Enter opens, Backspace goes
// back. The loop handles all events that arrived together, reads the rows that are on the screen, and
// presents one frame.

/// Shows a store on a terminal.
package final class StoreBrowser {
    enum Focus {
        case entities
        case content
    }

    /// What the right side shows.
    enum Content {
        case rows(RowsView)
        case object(ObjectView)
    }

    let inspector: StoreInspector
    let device: any TerminalDevice
    let theme: Theme
    let symbols: Symbols
    let name: String
    private(set) var overview: StoreOverview
    /// The entities that the filter lets through.
    private(set) var entities: [StoreOverview.Entity]
    var entityList: ListView
    var entityFilter = ""
    var focus = Focus.entities
    var stack: [Content] = []
    /// The text being typed as a filter; `nil` if none is.
    var field: TextField?
    var message: String?
    private var status: Int32?

    /// - Parameters:
    ///   - inspector: the store.
    ///   - name: the name of its file.
    ///   - device: the terminal.
    ///   - theme: the styles.
    ///   - symbols: the characters for lines.
    /// - Throws: the store's error.
    package init(
        _ inspector: StoreInspector,
        name: String,
        device: any TerminalDevice,
        theme: Theme,
        symbols: Symbols
    ) throws {
        self.inspector = inspector
        self.name = DisplayWidth.singleLine(name)
        self.device = device
        self.theme = theme
        self.symbols = symbols
        overview = try inspector.overview()
        entities = overview.entities
        entityList = ListView(count: entities.count)
        showEntity()
    }

    /// Runs until the user quits or the system asks for it.
    ///
    /// - Returns: the exit status.
    package func run() -> Int32 {
        device.setTitle(name)
        var isStale = true
        while true {
            if isStale { present() }
            let events = device.events(until: nil)
            isStale = events.contains { $0 != .timedOut && $0 != .woken }
            for event in events { handle(event) }
            if let status { return status }
        }
    }

    func handle(_ event: TerminalEvent) {
        switch event {
        case .input(.key(let key)):
            message = nil
            handle(key)
        case .input(.paste(let text)):
            field?.insert(text)
            followField()
        case .input(.mouse(let mouse)): handle(mouse)
        case .suspensionAsked: device.suspend()
        case .terminationAsked(let signal): status = signal == 0 ? 0 : 128 + signal
        case .input, .resized, .resumed, .woken, .timedOut: break
        }
    }

    func quit() { status = 0 }

    // MARK: Entities

    var selectedEntity: StoreOverview.Entity? {
        entityList.selection.flatMap { entities.indices.contains($0) ? entities[$0] : nil }
    }

    func entity(named name: String) -> StoreOverview.Entity? {
        overview.entities.first { $0.name == name }
    }

    /// Shows the objects of the selected entity, instead of all that was opened.
    func showEntity() {
        stack = []
        guard let entity = selectedEntity else { return }
        let pages = ObjectPages(.entity(entity.name), count: entity.rows, inspector)
        stack = [.rows(RowsView(title: entity.name, entity: entity, pages: pages))]
    }

    /// Takes the entities whose names have the filter's text.
    func filterEntities() {
        let wanted = entityFilter.lowercased()
        let selected = selectedEntity?.name
        entities = overview.entities.filter {
            wanted.isEmpty || $0.name.lowercased().contains(wanted)
        }
        entityList.update(
            count: entities.count,
            selection: entities.firstIndex { $0.name == selected } ?? 0
        )
        showEntity()
    }

    /// Reads the store again.
    func reload() {
        do {
            try inspector.refresh()
            overview = try inspector.overview()
            filterEntities()
        } catch { tell(error) }
    }

    func tell(_ error: any Error) { message = DisplayWidth.singleLine("\(error)") }
}

/// A list of objects on the screen.
struct RowsView {
    let title: String
    /// The entity of all of them; `nil` for objects of several ones.
    let entity: StoreOverview.Entity?
    var pages: ObjectPages
    var list: ListView
    /// The text that they have; empty for all objects.
    var filter = ""

    init(title: String, entity: StoreOverview.Entity?, pages: ObjectPages, filter: String = "") {
        self.title = title
        self.entity = entity
        self.pages = pages
        self.filter = filter
        list = ListView(count: pages.count)
    }

    /// The selected object.
    mutating func selected() throws -> InspectedObject? {
        guard let row = list.selection else { return nil }
        try pages.load(row..<row + 1)
        return pages[row]
    }
}

/// One object on the screen.
struct ObjectView {
    let object: InspectedObject
    var list: ListView

    init(_ object: InspectedObject) {
        self.object = object
        list = ListView(count: object.values.count)
    }
}
