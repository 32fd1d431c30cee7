import ObjectModel

/// The two ends of a line in a drawing.
struct DiagramLink {
    /// An entity and one of its properties; without a property the head of its box.
    struct Place: Hashable {
        let entity: String
        let property: String?
    }

    let kind: ModelDiagram.Line.Kind
    let from: Place
    let to: Place
    let start: ModelDiagram.Line.End
    let end: ModelDiagram.Line.End

    /// The links of a model, each pair of inverses once; links to missing entities are left out.
    static func all(in model: ManagedObjectModel) -> [DiagramLink] {
        var links: [DiagramLink] = []
        var done: Set<Place> = []
        for entity in model.entities.sorted(by: { $0.name < $1.name }) {
            if let parent = entity.superentityName, model.entity(named: parent) != nil {
                links.append(
                    DiagramLink(
                        kind: .parent,
                        from: Place(entity: entity.name, property: nil),
                        to: Place(entity: parent, property: nil),
                        start: .none,
                        end: .triangle
                    )
                )
            }
            for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
                guard let relationship = property as? RelationshipDescription,
                    let destination = model.entity(named: relationship.destinationName),
                    done.insert(Place(entity: entity.name, property: property.name)).inserted
                else { continue }
                let holder = holder(of: relationship.inverseName, destination, model)
                let place = Place(
                    entity: holder?.entity.name ?? destination.name,
                    property: holder?.relationship.name
                )
                if holder != nil { done.insert(place) }
                links.append(
                    DiagramLink(
                        kind: .relationship,
                        from: Place(entity: entity.name, property: property.name),
                        to: place,
                        start: holder.map { $0.relationship.isToMany ? .many : .one } ?? .none,
                        end: holder == nil ? .arrow : relationship.isToMany ? .many : .one
                    )
                )
            }
        }
        return links
    }

    /// The entity that declares an inverse: the destination or one of its ancestors.
    private static func holder(
        of name: String?,
        _ destination: EntityDescription,
        _ model: ManagedObjectModel
    ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
        guard let name else { return nil }
        var seen: Set<String> = []
        var entity: EntityDescription? = destination
        while let current = entity, seen.insert(current.name).inserted {
            for case let relationship as RelationshipDescription in current.ownProperties
            where relationship.name == name {
                return (current, relationship)
            }
            entity = current.superentityName.flatMap { model.entity(named: $0) }
        }
        return nil
    }
}

/// The order in which entities are placed: linked entities are near each other.
enum DiagramOrder {
    static func related(
        _ model: ManagedObjectModel,
        _ links: [DiagramLink]
    ) -> [EntityDescription] {
        var byName: [String: EntityDescription] = [:]
        for entity in model.entities where byName[entity.name] == nil {
            byName[entity.name] = entity
        }
        var neighbours: [String: Set<String>] = [:]
        for link in links {
            neighbours[link.from.entity, default: []].insert(link.to.entity)
            neighbours[link.to.entity, default: []].insert(link.from.entity)
        }
        func count(_ name: String) -> Int { neighbours[name]?.count ?? 0 }
        // The entity with the most links starts each connected part.
        let starts = byName.keys.sorted { (-count($0), $0) < (-count($1), $1) }
        var seen: Set<String> = []
        var order: [EntityDescription] = []
        for start in starts where seen.insert(start).inserted {
            var queue = [start]
            var next = 0
            while next < queue.count {
                let name = queue[next]
                next += 1
                if let entity = byName[name] { order.append(entity) }
                for other in (neighbours[name] ?? []).sorted() where seen.insert(other).inserted {
                    queue.append(other)
                }
            }
        }
        return order
    }
}
