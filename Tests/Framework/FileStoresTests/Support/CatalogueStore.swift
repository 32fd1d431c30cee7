import Foundation
import ObjectGraph

/// A remote catalogue of people and their pets, as an incremental store; it counts what it is asked.
final class CatalogueStore: IncrementalStore {
    static let storeType = StoreType(rawValue: "Catalogue")

    /// The other side, which other programs can change.
    final class Catalogue {
        struct Entry {
            var values: [String: GraphValue] = [:]
            var links: [String: [(entity: String, reference: ReferenceObject)]] = [:]
            var version: Int64 = 1
        }

        let identifier = UUID()
        var entries: [String: [ReferenceObject: Entry]] = [:]
        /// What was asked, in this order.
        var log: [String] = []
        var evaluates = false
        var batches = false
        var givesNodes = false
        var failure: (any Error)?
        /// The last number that was given, if the store counts its new objects.
        var lastNumber: Int64?
        var registered: [String: Int] = [:]

        func taken() -> [String] {
            defer { log = [] }
            return log
        }
    }

    nonisolated(unsafe) static var catalogues: [URL: Catalogue] = [:]

    private var catalogue: Catalogue {
        guard let url, let found = CatalogueStore.catalogues[url] else {
            preconditionFailure("there is no catalogue at the URL")
        }
        return found
    }

    static func model() -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription(
                "Being",
                [AttributeDescription("name", .string), AttributeDescription("age", .integer32)]
            ),
            EntityDescription(
                "Person",
                superentity: "Being",
                [
                    RelationshipDescription("pets", to: "Pet", inverse: "owner", toMany: true),
                    RelationshipDescription(
                        "wishes",
                        to: "Pet",
                        inverse: "wishedBy",
                        toMany: true,
                        ordered: true
                    ),
                ]
            ),
            EntityDescription(
                "Pet",
                superentity: "Being",
                [
                    RelationshipDescription("owner", to: "Person", inverse: "pets"),
                    RelationshipDescription(
                        "wishedBy",
                        to: "Person",
                        inverse: "wishes",
                        toMany: true
                    ),
                ]
            ),
        ])
    }

    override var type: StoreType { CatalogueStore.storeType }

    override func loadMetadata() throws {
        metadata["NSStoreUUID"] = .string(catalogue.identifier.uuidString)
        catalogue.lastNumber.map(noteReferenceNumber)
    }

    private func id(_ entity: EntityDescription, _ reference: ReferenceObject) -> ManagedObjectID {
        objectID(for: entity, withReferenceObject: reference)
    }

    override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
        catalogue.log.append("fetch \(request.entity.name)")
        if let failure = catalogue.failure { throw failure }
        var ids: [ManagedObjectID] = []
        for entity in request.concreteEntities {
            let references = (catalogue.entries[entity.name] ?? [:]).keys
            ids += references.sorted { "\($0)" < "\($1)" }.map { id(entity, $0) }
        }
        let nodes = catalogue.givesNodes ? try ids.compactMap { try node($0) } : []
        return catalogue.evaluates
            ? .exactly(ids, nodes: nodes) : .candidates(ids, nodes: nodes)
    }

    private func node(_ id: ManagedObjectID) throws -> IncrementalStoreNode? {
        catalogue.entries[id.entityName]?[referenceObject(for: id)].map { entry in
            IncrementalStoreNode(objectID: id, values: entry.values, version: entry.version)
        }
    }

    override func newValues(for id: ManagedObjectID) throws -> IncrementalStoreNode? {
        catalogue.log.append("values \(referenceObject(for: id))")
        if let failure = catalogue.failure { throw failure }
        return try node(id)
    }

    override func newValues(for ids: [ManagedObjectID]) throws -> [IncrementalStoreNode] {
        if !catalogue.batches { return try super.newValues(for: ids) }
        catalogue.log.append("values of \(ids.count)")
        return try ids.compactMap { try node($0) }
    }

    override var readsInBatches: Bool { catalogue.batches }

    override func newValue(
        forRelationship relationship: RelationshipDescription,
        of id: ManagedObjectID
    ) throws -> [ManagedObjectID] {
        catalogue.log.append("\(relationship.name) of \(referenceObject(for: id))")
        if let failure = catalogue.failure { throw failure }
        let entry = catalogue.entries[id.entityName]?[referenceObject(for: id)]
        return (entry?.links[relationship.name] ?? []).compactMap { target in
            model.entity(named: target.entity).map { self.id($0, target.reference) }
        }
    }

    override func newReferenceObject(for object: StoreObject) throws -> ReferenceObject {
        if catalogue.lastNumber != nil { return try super.newReferenceObject(for: object) }
        return .text("new-\(try object.value(forKey: "name").shown)")
    }

    override func execute(_ request: StoreSaveRequest) throws {
        catalogue.log.append("save")
        if let failure = catalogue.failure { throw failure }
        let stale = request.versions.filter { id, version in
            catalogue.entries[id.entityName]?[referenceObject(for: id)]?.version != version
        }
        if !stale.isEmpty {
            throw ObjectGraphError(
                .mergeConflict,
                "Somebody has changed entries.",
                objectIDs: stale.keys.sorted()
            )
        }
        for id in request.deleted {
            catalogue.entries[id.entityName]?[referenceObject(for: id)] = nil
        }
        for object in request.inserted + request.updated {
            let reference = referenceObject(for: object.objectID)
            var entry = catalogue.entries[object.entity.name]?[reference] ?? .init()
            if catalogue.entries[object.entity.name]?[reference] != nil { entry.version += 1 }
            for key in object.changedKeys.sorted() {
                let value = try object.value(forKey: key)
                let ids = (value.elements ?? [value]).compactMap { element -> ManagedObjectID? in
                    if case .objectID(let id) = element { return id }
                    return nil
                }
                if object.entity.property(named: key) is RelationshipDescription {
                    entry.links[key] = ids.map { ($0.entityName, referenceObject(for: $0)) }
                } else {
                    entry.values[key] = value
                }
            }
            catalogue.entries[object.entity.name, default: [:]][reference] = entry
        }
    }

    override func contextDidRegister(_ ids: [ManagedObjectID]) {
        for id in ids { catalogue.registered["\(referenceObject(for: id))", default: 0] += 1 }
    }

    override func contextDidUnregister(_ ids: [ManagedObjectID]) {
        for id in ids { catalogue.registered["\(referenceObject(for: id))", default: 0] -= 1 }
    }
}
