import FileStores
import Foundation
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import SQLiteStore
import Testing

/// The stores that the contract suite runs on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case sqlite
    case memory
    case binary
    case xml
    case text
    /// An incremental store over a server in this process.
    case server
    case postgresql

    /// All of them; PostgreSQL only where a server can be started.
    static let allCases: [StoreKind] =
        [.sqlite, .memory, .binary, .xml, .text, .server]
        + (PostgreSQLAtHand.isThere ? [.postgresql] : [])

    /// The stores that keep a history, for as long as they are open at least.
    static let withHistory = allCases.filter { $0 != .server }

    /// The stores that read and write a file as a whole.
    static let atomic: [StoreKind] = [.binary, .xml, .text]

    var atomicClass: AtomicStore.Type? {
        switch self {
        case .binary: BinaryStore.self
        case .xml: XMLStore.self
        case .text: TextStore.self
        case .sqlite, .memory, .server, .postgresql: nil
        }
    }

    var type: StoreType {
        switch self {
        case .sqlite: .sqlite
        case .memory: .inMemory
        case .binary: .binary
        case .xml: .xml
        case .text: .text
        case .server: ServerStore.storeType
        case .postgresql: .postgresql
        }
    }

    var testDescription: String { rawValue }
}

/// A folder for the files of one test, removed when the test ends.
final class TestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("SQLiteStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        if hasSchema { PostgreSQLAtHand.shared?.drop(url.lastPathComponent) }
    }

    private var hasSchema = false

    /// The schema for a store of the test.
    var schema: String {
        hasSchema = true
        return url.lastPathComponent
    }

    /// Waits for the file system's clock to go on, which may count in milliseconds.
    static func waitUntilLater(than path: String, beside other: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        func number(_ time: timespec) -> Int { time.tv_sec * 1_000_000_000 + time.tv_nsec }
        let time = number(status.st_ctim)
        let probe = other + ".probe"
        repeat {
            _ = FileManager.default.createFile(atPath: probe, contents: nil)
            stat(probe, &status)
            unlink(probe)
        } while number(status.st_ctim) <= time
    }

    func file(_ name: String = "store.sqlite") -> URL { url.appendingPathComponent(name) }
}

/// An object as a context would hold it: slots, the snapshot that was read, an ID.
final class TestObject {
    let entity: EntityDescription
    fileprivate(set) var id: ManagedObjectID
    fileprivate(set) var version: Int64 = 0
    fileprivate let slots: UnsafeMutablePointer<GraphValue>
    fileprivate let snapshot: UnsafeMutablePointer<GraphValue>

    init(_ entity: EntityDescription, _ id: ManagedObjectID) {
        self.entity = entity
        self.id = id
        let count = entity.slots.count
        slots = .allocate(capacity: count)
        snapshot = .allocate(capacity: count)
        slots.initialize(repeating: .null, count: count)
        for (index, value) in entity.defaults.enumerated() { slots[index] = value }
        snapshot.initialize(repeating: .null, count: count)
    }

    deinit {
        slots.deinitialize(count: entity.slots.count)
        snapshot.deinitialize(count: entity.slots.count)
        slots.deallocate()
        snapshot.deallocate()
    }

    subscript(name: String) -> GraphValue {
        get { slots[slot(name)] }
        set { slots[slot(name)] = newValue }
    }

    fileprivate func slot(_ name: String) -> Int {
        guard let slot = entity.slotByName[name] else { fatalError("no property \(name)") }
        return slot
    }

    fileprivate var change: ObjectChange { change(isInsert: false) }

    fileprivate func change(isInsert: Bool) -> ObjectChange {
        var changed = SlotSet()
        for slot in entity.slots.indices where slots[slot] != snapshot[slot] || isInsert {
            changed.insert(slot)
        }
        return ObjectChange(
            id: id,
            entity: entity,
            slots: slots,
            snapshot: isInsert ? nil : UnsafePointer(snapshot),
            changed: changed,
            version: isInsert ? 1 : version
        )
    }

    fileprivate func committed(_ id: ManagedObjectID, version: Int64) {
        self.id = id
        self.version = version
        snapshot.update(from: slots, count: entity.slots.count)
    }
}

/// A stand-in for a context: makes objects, collects changes, saves them.
final class TestSession {
    let store: any PersistentStore
    let model: ManagedObjectModel
    private let temporary: IDSpace
    private var serial: Int64 = 0
    private var inserted: [TestObject] = []
    private var updated: [TestObject] = []
    private var deleted: [TestObject] = []
    private var links: [LinkChange] = []

    init(_ store: any PersistentStore, _ model: ManagedObjectModel) {
        self.store = store
        self.model = model
        temporary = IDSpace.space(for: UUID(), entityNames: model.entityNames)
    }

    func entity(_ name: String) -> EntityDescription {
        guard let entity = model.entity(named: name) else { fatalError("no entity \(name)") }
        return entity
    }

    func relationship(_ name: String, of entity: String) -> RelationshipDescription {
        guard
            let found = self.entity(entity).property(named: name) as? RelationshipDescription
        else { fatalError("no relationship \(entity).\(name)") }
        return found
    }

    @discardableResult
    func insert(_ name: String, _ values: [String: GraphValue] = [:]) -> TestObject {
        let entity = entity(name)
        serial += 1
        let id = ManagedObjectID(
            space: temporary.number,
            entity: entity.number,
            key: serial,
            isTemporary: true
        )
        let object = TestObject(entity, id)
        for (key, value) in values { object[key] = value }
        inserted.append(object)
        return object
    }

    /// Brings a deleted object back under its old ID.
    func restore(_ object: TestObject) { inserted.append(object) }

    func update(_ object: TestObject, _ values: [String: GraphValue]) {
        for (key, value) in values { object[key] = value }
        updated.append(object)
    }

    func delete(_ object: TestObject) { deleted.append(object) }

    func link(
        _ owner: TestObject,
        _ name: String,
        add: [TestObject] = [],
        remove: [TestObject] = [],
        order: [TestObject]? = nil,
        oldOrder: [TestObject]? = nil
    ) {
        links.append(
            LinkChange(
                relationship: relationship(name, of: owner.entity.name),
                owner: owner.id,
                added: add.map(\.id),
                removed: remove.map(\.id),
                order: order?.map(\.id),
                oldOrder: oldOrder?.map(\.id)
            )
        )
    }

    func rollback() {
        inserted = []
        updated = []
        deleted = []
        links = []
    }

    @discardableResult
    func save(
        _ name: String? = nil,
        kind: TransactionInfo.Kind = .command,
        target: Int64? = nil,
        continues: Int64? = nil,
        ignoresVersions: Bool = false
    ) throws -> SaveReceipt {
        var plan = SavePlan()
        // A plan of these tests applies no delete rules.
        plan.checksReferences = false
        plan.inserted = inserted.map { $0.change(isInsert: true) }
        plan.updated = updated.map(\.change)
        plan.deleted = deleted.map(\.change)
        plan.links = links
        plan.transaction.groupName = name
        plan.transaction.kind = kind
        plan.transaction.target = target
        plan.transaction.continues = continues
        plan.ignoresVersions = ignoresVersions
        let receipt = try store.save(plan)
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        for (object, id) in zip(inserted, receipt.insertedIDs) { permanent[object.id] = id }
        for (object, id) in zip(inserted, receipt.insertedIDs) {
            object.resolve(permanent)
            object.committed(id, version: 1)
        }
        for object in updated {
            object.resolve(permanent)
            object.committed(object.id, version: store.rows.version(object.id) ?? 0)
        }
        rollback()
        return receipt
    }

    /// The stored state of an object, read from the store's rows.
    func row(_ id: ManagedObjectID) throws -> RowReader? {
        if !store.rows.contains(id) { try store.load([id]) }
        guard let entity = model.entity(named: id.entityName), let blob = store.rows.blob(id)
        else { return nil }
        return RowReader(blob, store.layout(entity))
    }

    func value(_ id: ManagedObjectID, _ name: String) throws -> GraphValue {
        let row = try #require(try row(id))
        let slot = try #require(row.layout.entity.slotByName[name])
        return row.value(row.layout.columnBySlot[slot])
    }

    /// An object as a context would hold it after a fetch.
    func object(_ id: ManagedObjectID) throws -> TestObject {
        let row = try #require(try row(id))
        let object = TestObject(row.layout.entity, id)
        for slot in object.entity.slots.indices {
            let column = row.layout.columnBySlot[slot]
            object.slots[slot] = column < 0 ? .null : row.value(column)
        }
        object.committed(id, version: store.rows.version(id) ?? 0)
        return object
    }

    func members(_ owner: ManagedObjectID, _ name: String) throws -> [ManagedObjectID] {
        let found = try store.destinations(
            of: relationship(name, of: owner.entityName),
            owners: [owner]
        )
        return found[0]
    }

    func fetch(_ request: FetchDescription, window: Bool = true) throws -> FetchAnswer {
        try store.fetch(
            FetchPlan(
                request: request,
                entity: entity(request.entityName),
                appliesWindow: window,
                loadsRows: true
            )
        )
    }
}

extension TestObject {
    var reference: GraphValue { .objectID(id) }

    fileprivate func resolve(_ permanent: [ManagedObjectID: ManagedObjectID]) {
        for slot in entity.slots.indices {
            if case .objectID(let id) = slots[slot], let other = permanent[id] {
                slots[slot] = .objectID(other)
            }
        }
    }
}

/// One store under test, which can be closed and opened again.
final class TestBench {
    let kind: StoreKind
    let model: ManagedObjectModel
    let folder: TestFolder
    private(set) var session: TestSession
    private let options: SQLiteStoreOptions

    init(
        _ kind: StoreKind,
        model: ManagedObjectModel = TestModel.make(),
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws {
        self.kind = kind
        self.model = model
        self.options = options
        folder = try TestFolder()
        try model.freeze()
        session = TestSession(try TestBench.open(kind, folder, model, options), model)
    }

    private static func open(
        _ kind: StoreKind,
        _ folder: TestFolder,
        _ model: ManagedObjectModel,
        _ options: SQLiteStoreOptions
    ) throws -> any PersistentStore {
        switch kind {
        case .sqlite: try SQLiteStore(url: folder.file(), model: model, options: options)
        case .memory: try InMemoryStore(model: model)
        case .postgresql:
            try PostgreSQLStore(
                url: try #require(PostgreSQLAtHand.shared).url(folder.schema),
                model: model,
                options: options.postgresql
            )
        case .binary, .xml, .text:
            try AtomicStoreOpening.open(
                try #require(kind.atomicClass),
                as: kind.type,
                url: folder.file("store.\(kind)"),
                model: model,
                configuration: nil,
                isReadOnly: false
            ).engine
        case .server:
            try IncrementalStoreAdapter(
                ServerStore.self,
                as: kind.type,
                url: folder.file("server"),
                model: model,
                configuration: nil,
                isReadOnly: false
            )
        }
    }

    /// Closes the store and opens it again; an in-memory store only forgets its rows.
    func reopen() throws {
        if kind != .memory {
            session.store.close()
            session = TestSession(try TestBench.open(kind, folder, model, options), model)
        } else {
            session.store.rows.removeAll()
        }
    }

    deinit { TestServer.forget(folder.file("server")) }

    var sqlite: SQLiteStore {
        get throws { try #require(session.store as? SQLiteStore) }
    }
}

extension SQLiteStoreOptions {
    fileprivate var postgresql: PostgreSQLStoreOptions {
        var options = PostgreSQLStoreOptions()
        options.isReadOnly = isReadOnly
        options.keepsHistory = keepsHistory
        return options
    }
}

extension PersistentStore {
    func undoSteps(limit: Int) throws -> [HistoryStep] { try undoSteps(limit: limit, by: nil) }

    func redoSteps(limit: Int) throws -> [HistoryStep] { try redoSteps(limit: limit, by: nil) }
}
