import ObjectStore
import Phrases
public import StoreExploring
import TerminalUI

// A view of a store: the entities with their counts, and beside them the objects of the selected one,
// or one object with its values. What was opened is a stack: Enter opens, Backspace goes back. Drawing
// reads the rows that are on the screen, and no others.
//
// It knows neither a terminal nor keys: `BrowserWindow` is a program of its own around it, Docket's
// interface has it as a pane.

/// Shows a store.
///
/// Split by concern: `+Actions`, `+Render`.
public final class StoreBrowser {
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
    /// The name of the file, in one line.
    public let name: String
    private(set) var overview: StoreOverview
    /// The entities that the filter lets through.
    private(set) var entities: [StoreOverview.Entity]
    var entityList: ListView
    var entityFilter = ""
    var focus = Focus.entities
    var stack: [Content] = []
    /// Asks for a filter; what is typed goes to ``follow(filter:)`` and ``apply(filter:)``.
    public var askForFilter: () -> Void = {}

    /// - Parameters:
    ///   - inspector: the store.
    ///   - name: the name of its file.
    /// - Throws: the store's error.
    public init(_ inspector: StoreInspector, name: String) throws {
        self.inspector = inspector
        self.name = DisplayWidth.singleLine(name)
        overview = try inspector.overview()
        entities = overview.entities
        entityList = ListView(count: entities.count)
        if let first = entities.firstIndex(where: { $0.rows > 0 }) { entityList.select(first) }
        showEntity()
    }

    /// The type of the store, and how many objects it has: `SQLite`, `12 objects`.
    public var facts: [String] {
        let count = overview.objectCount
        return [overview.type.rawValue, Phrase(count, "object").text]
    }

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
    func reload() throws {
        try inspector.refresh()
        overview = try inspector.overview()
        filterEntities()
    }
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
    /// Why rows could not be read, one sentence.
    var problem: String?

    init(title: String, entity: StoreOverview.Entity?, pages: ObjectPages, filter: String = "") {
        self.title = title
        self.entity = entity
        self.pages = pages
        self.filter = filter
        list = ListView(count: pages.count)
    }

    /// What is shown in place of rows: why they cannot be read, or why there are none.
    var instead: String? {
        if let problem { return problem }
        if pages.count > 0 { return nil }
        return filter.isEmpty
            ? localized("No objects of exactly this entity.")
            : localized("No object has this text; Esc shows all.")
    }

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
