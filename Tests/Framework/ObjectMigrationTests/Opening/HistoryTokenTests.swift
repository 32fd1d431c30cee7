import Foundation
import ObjectGraph
import ObjectModel
import Testing

/// Places in a history that is not, or no more, that of the store.
@Suite struct HistoryTokenTests {
    private let folder: MigrationFolder
    static let types: [StoreType] = [.sqlite] + AtomicMigrationTests.types

    init() throws {
        folder = try MigrationFolder()
        ListStore.register()
    }

    static func expectExpired(_ token: HistoryToken, _ container: PersistentContainer) throws {
        var request = HistoryRequest()
        request.after = token
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try container.coordinator.history(request)
        }
        #expect(error?.code == .historyExpired)
        let follower = try StoreFollower(
            ManagedObjectContext(coordinator: container.coordinator),
            after: token
        )
        let isSQLite = container.coordinator.persistentStores.first?.type == .sqlite
        #expect(try follower.catchUp().wasReset == isSQLite)
        request.after = try container.coordinator.currentHistoryToken()
        #expect(try container.coordinator.history(request).transactions.isEmpty)
    }

    private func open(_ type: StoreType, _ name: String = "store") throws -> PersistentContainer {
        var options = StoreOptions()
        options.type = type
        return try PersistentContainer(
            for: First.Note.self,
            url: folder.file(name),
            options: options
        )
    }

    private func add(_ container: PersistentContainer) throws -> HistoryToken {
        container.viewContext.insert(First.Note.self)
        try container.viewContext.save()
        return try container.coordinator.currentHistoryToken()
    }

    @Test(arguments: [1, 2])
    func tokenFromBeforeAMappingMigrationExpires(_ times: Int) throws {
        MigrationPolicies.register("CirclePolicy") { CirclePolicy() }
        let url = folder.file()
        try ShapesModels.makeStore(url)
        let first = try PersistentContainer(model: ShapesModels.first(), url: url)
        let token = try first.coordinator.currentHistoryToken()
        first.close()
        var options = StoreOptions()
        options.migration.versions = [ShapesModels.first()]
        options.migration.mappings = [try ShapesModels.mapping()]
        try PersistentContainer(model: ShapesModels.second(), url: url, options: options).close()
        if times == 2 {
            let copy = folder.file("copy.sqlite")
            try PersistentStoreCoordinator.migrateStore(
                from: StoreDescription(url: url),
                model: ShapesModels.second(),
                to: StoreDescription(url: copy),
                model: ShapesModels.second()
            )
            try FileManager.default.removeItem(at: url)
            try FileManager.default.moveItem(at: copy, to: url)
        }
        let second = try PersistentContainer(model: ShapesModels.second(), url: url)
        try Self.expectExpired(token, second)
        _ = try second.viewContext.insert(entityNamed: "Canvas")
        try second.viewContext.save()
        try Self.expectExpired(token, second)
    }

    @Test(arguments: types)
    func tokenThatTheStoreHasNotReachedExpires(_ type: StoreType) throws {
        let container = try open(type)
        _ = try add(container)
        container.close()
        let files = folder.names.filter { $0.hasPrefix("store") }
        for name in files {
            try FileManager.default.copyItem(at: folder.file(name), to: folder.file("~\(name)"))
        }
        let again = try open(type)
        let token = try add(again)
        again.close()
        // An older copy takes the place of the store.
        for name in files {
            try FileManager.default.removeItem(at: folder.file(name))
            try FileManager.default.moveItem(at: folder.file("~\(name)"), to: folder.file(name))
        }
        try Self.expectExpired(token, open(type))
    }

    @Test(arguments: AtomicMigrationTests.types)
    func tokenOfAnEarlierSessionOfAnAtomicStoreExpires(_ type: StoreType) throws {
        let container = try open(type)
        let old = try add(container)
        var request = HistoryRequest()
        request.after = old
        let token = try add(container)
        #expect(try container.coordinator.history(request).transactions.count == 1)
        container.close()
        let again = try open(type)
        for token in [old, token, HistoryToken()] { try Self.expectExpired(token, again) }
        request.after = try again.coordinator.currentHistoryToken()
        _ = try add(again)
        #expect(try again.coordinator.history(request).transactions.count == 1)
        for token in [old, token, HistoryToken()] { try Self.expectExpired(token, again) }
    }

    @Test func tokenOfAStoreThatKeepsNoHistoryAnyMoreExpires() throws {
        let container = try open(.sqlite)
        let token = try add(container)
        container.close()
        var options = StoreOptions()
        options.keepsHistory = false
        let again = try PersistentContainer(
            for: First.Note.self,
            url: folder.file("store"),
            options: options
        )
        var request = HistoryRequest()
        request.after = token
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try again.coordinator.history(request)
        }
        #expect(error?.code == .historyExpired)
    }
}
