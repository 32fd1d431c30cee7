import Foundation
import ObjectGraph
import ObjectModel

/// What the objects of a store hold, as texts.
struct GraphDump: Equatable {
    /// By `Entity/key`: the texts of the properties.
    var objects: [String: [String: [String]]] = [:]

    init() {}

    /// Reads all objects of a store.
    init(_ url: URL, _ model: ManagedObjectModel, options: StoreOptions = StoreOptions()) throws {
        let container = try PersistentContainer(model: model, url: url, options: options)
        defer { container.close() }
        try self.init(container.viewContext, model)
    }

    init(_ context: ManagedObjectContext, _ model: ManagedObjectModel) throws {
        for entity in model.entities where !entity.isAbstract {
            var request = FetchRequest<ManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                var values: [String: [String]] = [:]
                for property in entity.persistentSlots {
                    values[property.name] = try Self.text(object, property)
                }
                objects[Self.key(object)] = values
            }
        }
    }

    static func key(_ object: ManagedObject) -> String {
        "\(object.objectID.entityName)/\(object.objectID.key)"
    }

    private static func text(
        _ object: ManagedObject,
        _ property: PropertyDescription
    ) throws -> [String] {
        let value = try object.value(forKeyPath: property.name)
        guard let relationship = property as? RelationshipDescription else {
            return [text(value)]
        }
        let members: [String] = (value.elements ?? [value]).compactMap {
            guard case .object(let member) = $0, let member = member as? ManagedObject else {
                return nil
            }
            return key(member)
        }
        return relationship.isOrdered ? members : members.sorted()
    }

    static func text(_ value: GraphValue) -> String {
        switch value {
        case .data(let data): "data \(data.count) \(data.hashValue)"
        case .date(let date): "date \(date.timeIntervalSinceReferenceDate)"
        default: "\(value)"
        }
    }
}

extension GraphDump {
    /// What the objects are after a migration, by the rules and not by SQL.
    ///
    /// Derived attributes are left out.
    func migrated(by correspondence: ModelCorrespondence) -> GraphDump {
        var names: [String: String] = [:]
        for key in objects.keys {
            let parts = key.split(separator: "/")
            guard let entity = correspondence.source.entity(named: String(parts[0])),
                let after = correspondence.destination(of: entity)
            else { continue }
            names[key] = "\(after.name)/\(parts[1])"
        }
        var result = GraphDump()
        for (old, new) in names {
            guard let after = correspondence.destination.entity(named: Self.entity(new)),
                let entry = correspondence.entry(of: after), let values = objects[old]
            else { continue }
            var texts: [String: [String]] = [:]
            for property in after.persistentSlots {
                let origin = entry.properties[property.name]
                if let attribute = property as? AttributeDescription {
                    if attribute.isDerived { continue }
                    let fallback = Self.text(attribute.defaultValue)
                    var value = origin.flatMap { values[$0.name]?[0] } ?? fallback
                    if value == "null", !attribute.isOptional { value = fallback }
                    texts[attribute.name] = [value]
                } else if let relationship = property as? RelationshipDescription {
                    texts[relationship.name] = members(
                        of: old,
                        relationship,
                        origin,
                        names,
                        correspondence
                    )
                }
            }
            result.objects[new] = texts
        }
        return result
    }

    private static func entity(_ key: String) -> String { String(key.prefix { $0 != "/" }) }

    private static func number(_ key: String) -> Int {
        Int(key.drop { $0 != "/" }.dropFirst()) ?? 0
    }

    private func members(
        of owner: String,
        _ relationship: RelationshipDescription,
        _ origin: PropertyDescription?,
        _ names: [String: String],
        _ correspondence: ModelCorrespondence
    ) -> [String] {
        var list: [String] = []
        var isOrdered = false
        if let origin = origin as? RelationshipDescription {
            list = objects[owner]?[origin.name] ?? []
            isOrdered = origin.isOrdered
        } else if let inverse = relationship.inverse, let declaring = inverse.entity,
            correspondence.origins(of: relationship).isEmpty
        {
            for (key, values) in objects {
                guard let new = names[key],
                    let entity = correspondence.destination.entity(named: Self.entity(new)),
                    entity.isKind(of: declaring),
                    let back = correspondence.entry(of: entity)?.properties[inverse.name],
                    values[back.name]?.contains(owner) == true
                else { continue }
                list.append(key)
            }
        }
        let members = list.compactMap { names[$0] }
        if !relationship.isOrdered { return members.sorted() }
        return isOrdered ? members : members.sorted { Self.number($0) < Self.number($1) }
    }

    /// Without the derived attributes of a model.
    func withoutDerived(_ model: ManagedObjectModel) -> GraphDump {
        var result = self
        for key in objects.keys {
            for attribute in model.entity(named: Self.entity(key))?.storedAttributes ?? []
            where attribute.isDerived {
                result.objects[key]?[attribute.name] = nil
            }
        }
        return result
    }

    /// Where two dumps differ, in short.
    func differences(from other: GraphDump) -> [String] {
        var result: [String] = []
        for key in Set(objects.keys).union(other.objects.keys).sorted() {
            guard let left = objects[key], let right = other.objects[key] else {
                result.append("\(key) is on one side only")
                continue
            }
            for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
                result.append(
                    "\(key).\(name): \(left[name] ?? ["-"]) and \(right[name] ?? ["-"])"
                )
            }
        }
        return result
    }
}
