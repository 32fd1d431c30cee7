import ObjectContext
import ObjectModel

/// Every object of a context with its values and both sides of its relationships, as text.
struct GraphDump: Equatable, CustomStringConvertible {
    let lines: [String]

    init(_ context: ManagedObjectContext) throws {
        var lines: [String] = []
        for entity in context.model.entities where entity.superentityName == nil {
            let request = FetchRequest<ManagedObject>(entityName: entity.name)
            for object in try context.fetch(request) {
                lines.append(GraphDump.line(object))
            }
        }
        self.lines = lines.sorted()
    }

    var description: String { lines.joined(separator: "\n") }

    private static func line(_ object: ManagedObject) -> String {
        var parts: [String] = []
        for attribute in object.entity.attributes where !attribute.isTransient {
            parts.append("\(attribute.name)=\(object[attribute.name])")
        }
        for relationship in object.entity.relationships {
            let value = object[relationship.name]
            let ids: [String] =
                switch value {
                case .object(let other): [other.managedObjectID?.uri ?? "?"]
                case .array(let others): others.map(uri)
                case .set(let others): others.map(uri).sorted()
                default: []
                }
            parts.append("\(relationship.name)→\(ids)")
        }
        return "\(object.objectID.uri) " + parts.joined(separator: " ")
    }

    private static func uri(_ value: Value) -> String {
        if case .object(let object) = value { return object.managedObjectID?.uri ?? "?" }
        return "?"
    }
}
