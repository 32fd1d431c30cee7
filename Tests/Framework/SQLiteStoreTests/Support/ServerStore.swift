import Foundation
import ObjectModel
import ObjectStore

/// Objects that are somewhere else, as a server would keep them: by entity and number.
final class TestServer {
    struct Record {
        var entity: String
        /// Attributes and to-one relationships.
        var values: [String: GraphValue] = [:]
        var version: Int64 = 1
    }

    let identifier = UUID()
    var records: [ManagedObjectID: Record] = [:]
    /// The members of to-many relationships that no to-one relationship tells, and orders.
    var members: [String: [ManagedObjectID: [ManagedObjectID]]] = [:]
    var lastNumber: Int64 = 0
    /// What was asked, in the order of the questions.
    var log: [String] = []
    /// Thrown by the next save.
    var failure: (any Error)?

    /// The servers by the URL that leads to them; tests run side by side.
    nonisolated(unsafe) private static var servers: [URL: TestServer] = [:]
    private static let lock = NSLock()

    static func at(_ url: URL) -> TestServer {
        lock.withLock {
            if let known = servers[url] { return known }
            let server = TestServer()
            servers[url] = server
            return server
        }
    }

    static func forget(_ url: URL) { lock.withLock { servers[url] = nil } }
}

/// An incremental store over a ``TestServer``, written as a user of the framework would.
///
/// It evaluates nothing: the framework does, on what the server gives.
final class ServerStore: IncrementalStore {
    static let storeType = StoreType(rawValue: "Server")

    private lazy var server = TestServer.at(url ?? URL(filePath: "/nowhere"))

    override var type: StoreType { ServerStore.storeType }

    override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        [
            "NSStoreType": .string(storeType.rawValue),
            "NSStoreUUID": .string(TestServer.at(url).identifier.uuidString),
        ]
    }

    override func loadMetadata() throws {
        metadata["NSStoreUUID"] = .string(server.identifier.uuidString)
        noteReferenceNumber(server.lastNumber)
    }

    override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
        server.log.append("fetch \(request.entity.name)")
        let names = Set(request.concreteEntities.map(\.name))
        let found = server.records.filter { names.contains($0.value.entity) }.map(\.key)
        return .candidates(
            found.sorted { number($0) < number($1) }
        )
    }

    private func number(_ id: ManagedObjectID) -> Int64 {
        if case .number(let number) = referenceObject(for: id) { return number }
        return 0
    }

    override func newValues(for id: ManagedObjectID) throws -> IncrementalStoreNode? {
        server.log.append("values \(id.entityName) \(referenceObject(for: id))")
        return server.records[id].map { record in
            IncrementalStoreNode(objectID: id, values: record.values, version: record.version)
        }
    }

    override func newValue(
        forRelationship relationship: RelationshipDescription,
        of id: ManagedObjectID
    ) throws -> [ManagedObjectID] {
        server.log.append("\(relationship.name) of \(id.entityName) \(referenceObject(for: id))")
        let listed = (server.members[key(relationship)]?[id] ?? [])
            .filter { server.records[$0] != nil }
        guard let inverse = relationship.inverse, !inverse.isToMany else { return listed }
        let members = server.records
            .filter { $0.value.values[inverse.name] == .objectID(id) }
            .map(\.key)
        let known = Set(members)
        let ordered = listed.filter { known.contains($0) }
        return ordered + members.filter { !ordered.contains($0) }.sorted()
    }

    private func key(_ relationship: RelationshipDescription) -> String {
        "\(relationship.entity?.root.name ?? "").\(relationship.name)"
    }

    override func newReferenceObject(for object: StoreObject) throws -> ReferenceObject {
        server.lastNumber += 1
        return .number(server.lastNumber)
    }

    // MARK: Saving

    override func execute(_ request: StoreSaveRequest) throws {
        server.log.append("save")
        if let failure = server.failure {
            server.failure = nil
            throw failure
        }
        let stale = request.versions.filter { id, version in
            server.records[id].map { $0.version != version } == true
        }
        if !stale.isEmpty {
            throw ObjectGraphError(.mergeConflict, "stale", objectIDs: Array(stale.keys))
        }
        try checkUniqueness(request)
        for id in request.deleted {
            server.records[id] = nil
            for key in server.members.keys {
                server.members[key]?[id] = nil
                for owner in (server.members[key] ?? [:]).keys {
                    server.members[key]?[owner]?.removeAll { $0 == id }
                }
            }
        }
        for object in request.inserted + request.updated {
            var record = server.records[object.objectID] ?? .init(entity: object.entity.name)
            if server.records[object.objectID] != nil { record.version += 1 }
            server.lastNumber = max(server.lastNumber, number(object.objectID))
            for name in object.changedKeys {
                guard
                    let relationship = object.entity.property(named: name)
                        as? RelationshipDescription, relationship.isToMany
                else {
                    record.values[name] = try object.value(forKey: name)
                    continue
                }
                try link(object, relationship)
            }
            server.records[object.objectID] = record
        }
    }

    private func link(_ object: StoreObject, _ relationship: RelationshipDescription) throws {
        let ids = (try object.value(forKey: relationship.name).elements ?? []).compactMap {
            if case .objectID(let id) = $0 { return id }
            return nil as ManagedObjectID?
        }
        let owner = object.objectID
        let name = key(relationship)
        let former = server.members[name]?[owner] ?? []
        server.members[name, default: [:]][owner] = ids
        guard let inverse = relationship.inverse else {
            // A member has one owner.
            for other in (server.members[name] ?? [:]).keys where other != owner {
                server.members[name]?[other]?.removeAll { ids.contains($0) }
            }
            return
        }
        guard inverse.isToMany else { return }
        for id in former where !ids.contains(id) {
            server.members[key(inverse), default: [:]][id]?.removeAll { $0 == owner }
        }
        for id in ids {
            var others = server.members[key(inverse)]?[id] ?? []
            if !others.contains(owner) { others.append(owner) }
            server.members[key(inverse), default: [:]][id] = others
        }
    }

    private func checkUniqueness(_ request: StoreSaveRequest) throws {
        var holders: [UniqueKey: ManagedObjectID] = [:]
        let changed = Set((request.inserted + request.updated).map(\.objectID))
        for (id, record) in server.records
        where !changed.contains(id) && !request.deleted.contains(id) {
            guard let entity = model.entity(named: record.entity) else { continue }
            for constraint in UniquenessConstraint.all(of: entity) {
                if let key = UniqueKey(constraint, { record.values[$0] }) { holders[key] = id }
            }
        }
        for object in request.updated + request.inserted {
            for constraint in UniquenessConstraint.all(of: object.entity) {
                guard let key = UniqueKey(constraint, { try? object.value(forKey: $0) }) else {
                    continue
                }
                if let other = holders.updateValue(object.objectID, forKey: key) {
                    throw ObjectGraphError.notUnique(
                        constraint.names,
                        of: object.entity,
                        [object.objectID, other]
                    )
                }
            }
        }
    }
}
