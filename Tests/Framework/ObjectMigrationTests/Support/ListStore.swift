import Foundation
import ObjectGraph

/// An atomic store as a program writes it: a property list of objects, of any model.
final class ListStore: AtomicStore {
    static let storeType = StoreType(rawValue: "List")

    static func register() {
        try? PersistentStoreCoordinator.register(ListStore.self, as: storeType)
    }

    override var type: StoreType { ListStore.storeType }

    private static func read(_ data: Data) throws -> [String: Any] {
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        guard let values = list as? [String: Any] else { throw damaged() }
        return values
    }

    private static func damaged() -> ObjectGraphError {
        ObjectGraphError(.damagedFile, "This is not a list of objects.")
    }

    override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        let values = try read(Data(contentsOf: url))
        guard case .dictionary(let metadata) = value(values["metadata"] ?? [String: Any]()) else {
            throw damaged()
        }
        return metadata
    }

    private static func value(_ any: Any) -> GraphValue {
        switch any {
        case let text as String: .string(text)
        case let data as Data: .data(data)
        case let date as Date: .date(date)
        case let values as [Any]: .array(values.map(value))
        case let values as [String: Any]: .dictionary(values.mapValues(value))
        case let number as NSNumber: .int(number.int64Value)
        default: .null
        }
    }

    private static func any(_ value: GraphValue) -> Any? {
        switch value {
        case .string(let text): text
        case .data(let data): data
        case .date(let date): date
        case .int(let number): number
        case .double(let number): number
        case .array(let values): values.compactMap(any)
        case .dictionary(let values): values.compactMapValues(any)
        default: nil
        }
    }

    private func name(_ id: ManagedObjectID) -> String {
        "\(id.entityName) \(referenceObject(for: id))"
    }

    private func id(_ name: String) throws -> ManagedObjectID {
        let parts = name.split(separator: " ")
        guard parts.count == 2, let entity = model.entity(named: String(parts[0])),
            let number = Int64(parts[1])
        else { throw damaged("\(name) is no object") }
        return objectID(for: entity, withReferenceObject: .number(number))
    }

    override func load() throws {
        guard let data = try contents(of: location) else { return }
        let objects = try Self.read(data)["objects"] as? [String: [String: Any]] ?? [:]
        try addCacheNodes(
            objects.map { name, values in
                let id = try id(name)
                guard let entity = model.entity(named: id.entityName) else { throw damaged(name) }
                let node = AtomicStoreCacheNode(objectID: id, entity: entity)
                for (key, any) in values {
                    var value = Self.value(any)
                    if entity.relationships.contains(where: { $0.name == key }) {
                        let ids = try (any as? [String] ?? []).map {
                            GraphValue.objectID(try self.id($0))
                        }
                        let isToMany = entity.relationships.contains {
                            $0.name == key && $0.isToMany
                        }
                        value = isToMany ? .array(ids) : ids.first ?? .null
                    }
                    let isDouble = entity.attributes.contains {
                        $0.name == key && $0.type == .double
                    }
                    if isDouble, let number = any as? NSNumber {
                        value = .double(number.doubleValue)
                    }
                    try node.setValue(value, forKey: key)
                }
                return node
            }
        )
    }

    override func save() throws {
        var objects: [String: [String: Any]] = [:]
        for node in cacheNodes {
            objects[name(node.objectID)] = node.propertyCache.compactMapValues { value in
                let ids = (value.elements ?? [value]).compactMap { element -> String? in
                    if case .objectID(let id) = element { return name(id) }
                    return nil
                }
                return ids.isEmpty ? Self.any(value) : ids
            }
        }
        let list: [String: Any] = [
            "metadata": metadata.compactMapValues(Self.any), "objects": objects,
        ]
        try replaceContents(
            of: location,
            with: try PropertyListSerialization.data(
                fromPropertyList: list,
                format: .xml,
                options: 0
            )
        )
    }
}
