import ObjectContext
import ObjectModel

/// Every object of a context with its values and both sides of its relationships, as text.
struct GraphDump: Equatable, CustomStringConvertible {
    let lines: [String]

    /// `name` says what an object is called; by default its URI.
    init(
        _ context: ManagedObjectContext,
        naming name: (ManagedObject) -> String = { $0.objectID.uri }
    ) throws {
        var lines: [String] = []
        for entity in context.model.entities where entity.superentityName == nil {
            let request = FetchRequest<ManagedObject>(entityName: entity.name)
            for object in try context.fetch(request) {
                lines.append(GraphDump.line(object, name))
            }
        }
        self.lines = lines.sorted()
    }

    var description: String { lines.joined(separator: "\n") }

    /// The lines that only one of two dumps has.
    func difference(from other: GraphDump) -> [String] {
        lines.filter { !other.lines.contains($0) }.map { "+ \($0)" }
            + other.lines.filter { !lines.contains($0) }.map { "- \($0)" }
    }

    private static func line(_ object: ManagedObject, _ name: (ManagedObject) -> String) -> String {
        var parts: [String] = []
        for attribute in object.entity.attributes where !attribute.isTransient {
            parts.append("\(attribute.name)=\(object[attribute.name])")
        }
        for relationship in object.entity.relationships {
            let value = object[relationship.name]
            let names: [String] =
                switch value {
                case .object(let other as ManagedObject): [name(other)]
                case .array: object.list(relationship.name).map(name)
                case .set: object.list(relationship.name).map(name).sorted()
                default: []
                }
            parts.append("\(relationship.name)→\(names)")
        }
        return "\(name(object)) " + parts.joined(separator: " ")
    }
}
