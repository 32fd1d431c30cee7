import ObjectModel

/// Collects what a file of objects shows of its model.
///
/// A file does not say which entities are parents of others, so each has all of its properties
/// itself. Where the objects of a relationship belong to several entities, these get a parent in
/// common, which is named after them: `Note/Task`.
struct DeducedEntities {
    private struct Entity {
        var attributes: [String: AttributeType] = [:]
        var relationships: [String: Relationship] = [:]
    }

    private struct Relationship {
        var isToMany: Bool
        var destinations: Set<String> = []
    }

    private var entities: [String: Entity] = [:]

    mutating func add(entity: String) {
        if entities[entity] == nil { entities[entity] = Entity() }
    }

    mutating func add(attribute name: String, _ type: AttributeType, of entity: String) {
        if entities[entity, default: Entity()].relationships[name] != nil { return }
        entities[entity]?.attributes[name] = type
    }

    mutating func add(
        relationship name: String,
        toMany: Bool,
        of entity: String,
        to destination: String? = nil
    ) {
        var relationship =
            entities[entity, default: Entity()].relationships[name]
            ?? Relationship(isToMany: toMany)
        relationship.isToMany = relationship.isToMany || toMany
        if let destination { relationship.destinations.insert(destination) }
        entities[entity]?.relationships[name] = relationship
        entities[entity]?.attributes[name] = nil
    }

    func model() -> ManagedObjectModel {
        var parents: [String: String] = [:]
        let model = ManagedObjectModel()
        for group in groups() where group.count > 1 {
            let name = group.joined(separator: "/")
            if entities[name] != nil { continue }
            for member in group { parents[member] = name }
            model.add(EntityDescription(name, isAbstract: true))
        }
        for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
            let description = EntityDescription(name, superentity: parents[name])
            for (name, type) in entity.attributes.sorted(by: { $0.key < $1.key }) {
                description.add(AttributeDescription(name, type))
            }
            for (name, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
                let known = relationship.destinations.filter { entities[$0] != nil }.sorted()
                // A model needs a destination, also of a relationship that no object uses.
                var target = description.name
                if let first = known.first {
                    target = known.count == 1 ? first : parents[first] ?? first
                }
                let list = RelationshipDescription(name, to: target, toMany: relationship.isToMany)
                list.hasUnknownDestination = known.isEmpty
                description.add(list)
            }
            model.add(description)
        }
        return model
    }

    /// The entities that are destinations of the same relationships, sorted.
    private func groups() -> [[String]] {
        var groups: [Set<String>] = []
        for entity in entities.values {
            for relationship in entity.relationships.values {
                var group = relationship.destinations.filter { entities[$0] != nil }
                if group.count < 2 { continue }
                groups.removeAll { other in
                    if other.isDisjoint(with: group) { return false }
                    group.formUnion(other)
                    return true
                }
                groups.append(Set(group))
            }
        }
        return groups.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }
}
