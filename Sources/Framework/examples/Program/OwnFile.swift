import FoundationEssentials
import ObjectGraph

/// A type of store of this program's own: a file with the metadata and a record for each object.
final class OwnFile: AtomicStore {
    /// The type; it is registered at the first use.
    static let storeType: StoreType = {
        let type = StoreType(rawValue: "Own")
        try? PersistentStoreCoordinator.register(OwnFile.self, as: type)
        return type
    }()

    override var type: StoreType { OwnFile.storeType }

    override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        guard let data = try? Data(contentsOf: url),
            case .dictionary(let metadata) = try decodeMetadata(data)["metadata"]
        else {
            throw ObjectGraphError(
                .cannotOpen,
                "\"\(url.lastPathComponent)\" is not a file of the examples."
            )
        }
        return metadata
    }

    override func load() throws {
        guard let data = try contents(of: location) else { return }
        for (name, record) in try Self.decodeMetadata(data) where name != "metadata" {
            guard case .dictionary(let values) = record else {
                throw damaged("\(name) is not an object")
            }
            let (id, entity) = try object(name)
            let node = AtomicStoreCacheNode(objectID: id, entity: entity)
            for (key, value) in values {
                let isLink = entity.property(named: key) is RelationshipDescription
                try node.setValue(isLink ? links(value) : value, forKey: key)
            }
            try addCacheNodes([node])
        }
    }

    override func save() throws {
        var file: StoreMetadata = ["metadata": .dictionary(metadata)]
        for node in cacheNodes {
            let values = node.propertyCache.filter { !$0.value.isNull }
            file[name(node.objectID)] = .dictionary(values.mapValues(names))
        }
        try replaceContents(of: location, with: try Self.encode(file))
    }

    // MARK: Objects by name: `Event 12`

    private func name(_ id: ManagedObjectID) -> String {
        "\(id.entityName) \(referenceObject(for: id))"
    }

    private func object(_ name: String) throws -> (ManagedObjectID, EntityDescription) {
        let parts = name.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[1]),
            let entity = model.entity(named: String(parts[0]))
        else { throw damaged("\(name) is not an object of the model") }
        return (objectID(for: entity, withReferenceObject: .number(number)), entity)
    }

    private func names(_ value: GraphValue) -> GraphValue {
        switch value {
        case .objectID(let id): .string(name(id))
        case .array(let members): .array(members.map(names))
        default: value
        }
    }

    private func links(_ value: GraphValue) throws -> GraphValue {
        switch value {
        case .string(let name): .objectID(try object(name).0)
        case .array(let members): .array(try members.map(links))
        default: throw damaged("it has a link that leads nowhere")
        }
    }
}
