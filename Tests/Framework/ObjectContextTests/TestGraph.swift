import ObjectContext
import ObjectModel
import ObjectStore

/// A small company with every kind of relationship.
///
/// - one to many: department ↔ staff (cascade), parent ↔ children within one entity;
/// - one to one: head ↔ heads, spouse ↔ spouse (its own inverse);
/// - many to many: projects ↔ members, friends ↔ friends (its own inverse);
/// - ordered: steps ↔ project, reviewers ↔ reviews (the other side unordered);
/// - without inverse: tags, mentor; denied: rooms.
enum TestGraph {
    static func model() -> ManagedObjectModel {
        ManagedObjectModel([department, employee, manager, project, step, tag, room])
    }

    private static var department: EntityDescription {
        EntityDescription(
            "Department",
            [
                AttributeDescription("title", .string, optional: false, default: ""),
                RelationshipDescription(
                    "staff",
                    to: "Employee",
                    inverse: "department",
                    toMany: true,
                    deleteRule: .cascade
                ),
                RelationshipDescription("head", to: "Employee", inverse: "heads"),
                RelationshipDescription(
                    "rooms",
                    to: "Room",
                    inverse: "owner",
                    toMany: true,
                    deleteRule: .deny
                ),
            ]
        )
    }

    private static var employee: EntityDescription {
        let speed = AttributeDescription("speed", .integer64, default: 0)
        speed.isTransient = true
        let code = AttributeDescription("code", .string)
        code.rules = [.minimumLength(2), .maximumLength(5)]
        return EntityDescription(
            "Employee",
            [
                AttributeDescription("name", .string),
                AttributeDescription("age", .integer16, default: 0),
                AttributeDescription("salary", .double),
                AttributeDescription("hired", .date),
                code,
                speed,
                RelationshipDescription("department", to: "Department", inverse: "staff"),
                RelationshipDescription("heads", to: "Department", inverse: "head"),
                RelationshipDescription(
                    "projects",
                    to: "Project",
                    inverse: "members",
                    toMany: true
                ),
                RelationshipDescription("spouse", to: "Employee", inverse: "spouse"),
                RelationshipDescription(
                    "friends",
                    to: "Employee",
                    inverse: "friends",
                    toMany: true
                ),
                RelationshipDescription("boss", to: "Employee", inverse: "reports"),
                RelationshipDescription("reports", to: "Employee", inverse: "boss", toMany: true),
                RelationshipDescription(
                    "reviews",
                    to: "Project",
                    inverse: "reviewers",
                    toMany: true
                ),
                RelationshipDescription("mentor", to: "Employee"),
            ]
        )
    }

    private static var manager: EntityDescription {
        EntityDescription(
            "Manager",
            superentity: "Employee",
            [AttributeDescription("budget", .integer64, default: 0)]
        )
    }

    private static var project: EntityDescription {
        EntityDescription(
            "Project",
            [
                AttributeDescription("code", .string, optional: false, default: "x"),
                RelationshipDescription(
                    "members",
                    to: "Employee",
                    inverse: "projects",
                    toMany: true
                ),
                RelationshipDescription(
                    "steps",
                    to: "Step",
                    inverse: "project",
                    toMany: true,
                    ordered: true,
                    deleteRule: .cascade
                ),
                RelationshipDescription(
                    "reviewers",
                    to: "Employee",
                    inverse: "reviews",
                    toMany: true,
                    ordered: true
                ),
                RelationshipDescription("tags", to: "Tag", toMany: true),
            ]
        )
    }

    private static var step: EntityDescription {
        EntityDescription(
            "Step",
            [
                AttributeDescription("label", .string),
                RelationshipDescription("project", to: "Project", inverse: "steps"),
            ]
        )
    }

    private static var tag: EntityDescription {
        EntityDescription("Tag", [AttributeDescription("name", .string)])
    }

    /// A room must have an owner, who cannot be deleted while it has rooms.
    private static var room: EntityDescription {
        EntityDescription(
            "Room",
            [
                AttributeDescription("number", .integer32, default: 1),
                RelationshipDescription(
                    "owner",
                    to: "Department",
                    inverse: "rooms",
                    optional: false
                ),
            ]
        )
    }

    static func coordinator(
        classes: [String: ManagedObject.Type] = [:]
    ) throws -> PersistentStoreCoordinator {
        let coordinator = try PersistentStoreCoordinator(model: model(), classes: classes)
        coordinator.add(try InMemoryStore(model: coordinator.model))
        return coordinator
    }

    /// A context over an empty in-memory store.
    static func context(
        classes: [String: ManagedObject.Type] = [:]
    ) throws -> ManagedObjectContext {
        ManagedObjectContext(coordinator: try coordinator(classes: classes))
    }
}

extension ManagedObject {
    subscript(key: String) -> GraphValue {
        get { (try? value(forKey: key)) ?? .null }
        set {
            do { try setValue(newValue, forKey: key) } catch { fatalError("\(error)") }
        }
    }

    /// The destinations of a to-many relationship.
    func objects(_ key: String) -> Set<ManagedObject> { Set(list(key)) }

    /// The destinations of an ordered relationship, in order.
    func list(_ key: String) -> [ManagedObject] {
        (self[key].elements ?? []).compactMap { value in
            if case .object(let object as ManagedObject) = value { return object }
            return nil
        }
    }

    /// The destination of a to-one relationship.
    func object(_ key: String) -> ManagedObject? {
        if case .object(let object as ManagedObject) = self[key] { return object }
        return nil
    }
}

extension ManagedObjectContext {
    /// Inserts an object and sets some values.
    @discardableResult
    func make(_ entity: String, _ values: [String: GraphValue] = [:]) throws -> ManagedObject {
        let object = try insert(entityNamed: entity)
        for (key, value) in values { object[key] = value }
        return object
    }

    func all(_ entity: String, _ format: String? = nil) throws -> [ManagedObject] {
        var request = FetchRequest<ManagedObject>(entityName: entity)
        if let format { request.predicate = try FetchPredicate(format: format) }
        return try fetch(request)
    }

    /// The values of a key as a fresh context reads them from the store.
    func stored(_ entity: String, _ key: String) throws -> [GraphValue] {
        let fresh = sibling()
        return try fresh.all(entity).values(key)
    }

    /// Another context on the same coordinator.
    func sibling() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }
}

extension [ManagedObject] {
    func values(_ key: String) -> [GraphValue] { map { $0[key] } }
}

/// Calls `body` and gives back the error that it throws.
func failure(_ body: () throws -> Void) -> ObjectGraphError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ObjectGraphError
    }
}
