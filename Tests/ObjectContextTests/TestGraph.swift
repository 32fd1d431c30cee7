import ObjectContext
import ObjectModel
import ObjectStore

/// A small company: departments with staff and a head, projects shared by employees.
enum TestGraph {
    static func model() -> ManagedObjectModel {
        ManagedObjectModel([
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
                ]
            ),
            EntityDescription(
                "Employee",
                [
                    AttributeDescription("name", .string),
                    AttributeDescription("age", .integer16, default: 0),
                    AttributeDescription("salary", .double),
                    AttributeDescription("hired", .date),
                    RelationshipDescription("department", to: "Department", inverse: "staff"),
                    RelationshipDescription("heads", to: "Department", inverse: "head"),
                    RelationshipDescription(
                        "projects",
                        to: "Project",
                        inverse: "members",
                        toMany: true
                    ),
                ]
            ),
            EntityDescription(
                "Manager",
                superentity: "Employee",
                [AttributeDescription("budget", .integer64, default: 0)]
            ),
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
                ]
            ),
            EntityDescription(
                "Step",
                [
                    AttributeDescription("label", .string),
                    RelationshipDescription("project", to: "Project", inverse: "steps"),
                ]
            ),
        ])
    }

    /// A context over an empty in-memory store.
    static func context() throws -> ManagedObjectContext {
        let coordinator = try PersistentStoreCoordinator(model: model())
        coordinator.add(try InMemoryStore(model: coordinator.model))
        return ManagedObjectContext(coordinator: coordinator)
    }
}

extension ManagedObject {
    subscript(key: String) -> Value {
        get { (try? value(forKey: key)) ?? .null }
        set {
            do { try setValue(newValue, forKey: key) } catch { fatalError("\(error)") }
        }
    }

    func objects(_ key: String) -> Set<ManagedObject> {
        var result: Set<ManagedObject> = []
        for case .object(let object as ManagedObject) in self[key].elements ?? [] {
            result.insert(object)
        }
        return result
    }
}
