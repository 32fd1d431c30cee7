import Foundation
import ObjectGraph
import ObjectGraphEncryption
import Testing

/// Encrypted attributes in every type of store.
@Suite struct EveryStoreTests {
    static let types: [StoreType] = [
        .sqlite, .binary, .xml, .text, PasswordFile.storeType, PasswordService.storeType,
    ]

    init() throws {
        try PersistentStoreCoordinator.register(PasswordFile.self, as: PasswordFile.storeType)
        try PersistentStoreCoordinator.register(PasswordService.self, as: PasswordService.storeType)
    }

    private func password(_ vault: Vault) throws -> GraphValue {
        let context = try vault.reopened().newContext()
        let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Credential"))
        #expect(all.count == 1)
        return try #require(all.first).value(forKey: "password")
    }

    private func expectLocked(_ what: String, _ body: () throws -> Void) {
        let error = #expect(throws: ObjectGraphError.self, "\(what)") { try body() }
        #expect(error?.code == .valuesLocked, "\(what): \(String(describing: error))")
    }

    @Test(arguments: types, [false, true])
    func valueIsSealedInTheFileAndComesBack(_ type: StoreType, _ isList: Bool) throws {
        let vault = try Vault(type: type)
        let value: GraphValue = isList ? ["a": "correct horse", "b": 1] : "correct horse"
        try vault.add("bank", value)
        try vault.context.save()
        #expect(try password(vault) == value)
        let files = try vault.files()
        for secret in ["correct horse", Data("correct horse".utf8).base64EncodedString()] {
            #expect(files.firstRange(of: Data(secret.utf8)) == nil)
        }
    }

    @Test(arguments: types)
    func lockedStoreIsOpenedAndSavedAndOnlyTheValueThrows(_ type: StoreType) throws {
        let vault = try Vault(type: type)
        try vault.add("bank", "correct horse")
        try vault.context.save()
        vault.ring.lock()
        expectLocked("reading") { _ = try password(vault) }
        let container = try vault.reopened()
        let object = try #require(
            try container.viewContext.fetch(
                FetchRequest<ManagedObject>(entityName: "Credential")
            ).first
        )
        expectLocked("setting") { try object.setValue("other", forKey: "password") }
        expectLocked("comparing") {
            let predicate = try FetchPredicate(format: "password == 'correct horse'")
            _ = try container.viewContext.fetch(
                FetchRequest<ManagedObject>(entityName: "Credential", predicate: predicate)
            )
        }
        try object.setValue("the bank", forKey: "name")
        try container.viewContext.save()
        try vault.unlock()
        #expect(try password(vault) == "correct horse")
    }

    @Test(arguments: types)
    func valuesAreEncryptedAgainWithANewKey(_ type: StoreType) throws {
        let vault = try Vault(type: type)
        try vault.add("bank", "correct horse")
        try vault.context.save()
        let rotated = try vault.ring.envelope.addingKey(passphrase: vault.passphrase)
        try vault.ring.adopt(rotated, passphrase: vault.passphrase)
        let again = Reencryption(of: "password", in: "Credential", with: vault.ring)
        let container = try vault.reopened()
        #expect(try again.run { container.newContext() } == 1)
        #expect(try again.run { container.newContext() } == 0)
        let only = try rotated.removingOldKeys(passphrase: vault.passphrase)
        try vault.ring.adopt(only, passphrase: vault.passphrase)
        #expect(try password(vault) == "correct horse")
    }

    @Test(
        arguments: [StoreType.sqlite, .binary, .xml, .text],
        [StoreType.sqlite, .binary, .xml, .text]
    )
    func lockedStoreIsMigratedToAnotherTypeAsItIs(_ from: StoreType, _ to: StoreType) throws {
        if from == to { return }
        let vault = try Vault(type: from)
        try vault.add("bank", "correct horse")
        try vault.context.save()
        vault.ring.lock()
        var options = StoreOptions()
        options.type = to
        let url = URL(filePath: vault.folder + "/other")
        let coordinator = vault.container.coordinator
        let store = try #require(coordinator.persistentStores.first)
        _ = try coordinator.migrateStore(store, to: StoreDescription(url: url, options: options))
        try vault.unlock()
        let context = vault.container.newContext()
        let all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Credential"))
        #expect(try all.first?.value(forKey: "password") == "correct horse")
    }

    @Test(arguments: [StoreType.sqlite, .binary, .xml, .text])
    func lockedStoreOfAnotherVersionIsMigrated(_ type: StoreType) throws {
        let vault = try Vault(type: type)
        try vault.add("bank", "correct horse")
        try vault.context.save()
        vault.container.close()
        vault.ring.lock()
        let container = try vault.reopened { entity in
            entity.add(AttributeDescription("comment", .string))
        }
        try vault.unlock()
        let all = try container.viewContext.fetch(
            FetchRequest<ManagedObject>(entityName: "Credential")
        )
        #expect(try all.first?.value(forKey: "password") == "correct horse")
    }

    @Test(arguments: types + [.inMemory])
    func modelThatWouldShowTheValueIsRefusedByEveryStore(_ type: StoreType) throws {
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try Vault(type: type) { $0.uniquenessConstraints = [["password"]] }
        }
        #expect(error?.code == .invalidModel)
    }

    @Test func classThatGivesPlainTextIsRefused() throws {
        let vault = try Vault(type: PasswordFile.storeType)
        try vault.add("bank", "correct horse")
        try vault.context.save()
        vault.container.close()
        let url = try #require(vault.url)
        var text = try String(contentsOf: url, encoding: .utf8)
        text = text.replacing("data:", with: "text:")
        try text.write(to: url, atomically: true, encoding: .utf8)
        let error = #expect(throws: ObjectGraphError.self) { _ = try vault.reopened() }
        #expect(error?.code == .wrongValueKind)
    }
}

/// A store class as a program writes it: a line for each credential.
private final class PasswordFile: AtomicStore {
    static let storeType = StoreType(rawValue: "PasswordFile")
    override var type: StoreType { Self.storeType }

    override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        let text = try String(contentsOf: url, encoding: .utf8)
        let first = text.split(separator: "\n").first.map(String.init) ?? ""
        if UUID(uuidString: first) == nil {
            throw ObjectGraphError(.cannotOpen, "This is not a file of passwords.")
        }
        return ["NSStoreType": .string(storeType.rawValue), "NSStoreUUID": .string(first)]
    }

    override func load() throws {
        guard let data = try contents(of: location), let entity = entities.first else { return }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst() {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            let id = objectID(for: entity, withReferenceObject: .number(Int64(parts[0]) ?? 0))
            let node = AtomicStoreCacheNode(objectID: id, entity: entity)
            try node.setValue(.string(String(parts[1])), forKey: "name")
            let data = Data(base64Encoded: String(parts[2].dropFirst(5))) ?? Data()
            try node.setValue(
                parts[2].hasPrefix("data:") ? .data(data) : .string("plain"),
                forKey: "password"
            )
            try addCacheNodes([node])
        }
    }

    override func save() throws {
        guard case .string(let identifier)? = metadata["NSStoreUUID"] else { return }
        var lines = [identifier]
        for node in cacheNodes {
            guard case .data(let data) = try node.value(forKey: "password"),
                case .string(let name) = try node.value(forKey: "name")
            else { continue }
            let number = referenceObject(for: node.objectID)
            lines.append("\(number)|\(name)|data:\(data.base64EncodedString())")
        }
        try replaceContents(of: location, with: Data(lines.joined(separator: "\n").utf8))
    }
}

/// A store that is asked; it keeps what it is given as long as the test.
private final class PasswordService: IncrementalStore {
    static let storeType = StoreType(rawValue: "PasswordService")
    nonisolated(unsafe) private static var entries: [URL: [Int64: [String: GraphValue]]] = [:]
    nonisolated(unsafe) private static var identifiers: [URL: UUID] = [:]
    private static let lock = NSLock()

    override var type: StoreType { Self.storeType }

    private var entries: [Int64: [String: GraphValue]] {
        get { Self.lock.withLock { url.flatMap { Self.entries[$0] } ?? [:] } }
        set { Self.lock.withLock { if let url { Self.entries[url] = newValue } } }
    }

    override func loadMetadata() throws {
        guard let url else { return }
        let identifier = Self.lock.withLock { () -> UUID in
            let known = Self.identifiers[url] ?? UUID()
            Self.identifiers[url] = known
            return known
        }
        metadata["NSStoreUUID"] = .string(identifier.uuidString)
        noteReferenceNumber(entries.keys.max() ?? 0)
    }

    override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
        .candidates(
            entries.keys.sorted().map {
                objectID(for: request.entity, withReferenceObject: .number($0))
            }
        )
    }

    override func newValues(for id: ManagedObjectID) throws -> IncrementalStoreNode? {
        guard case .number(let number) = referenceObject(for: id) else { return nil }
        return entries[number].map { IncrementalStoreNode(objectID: id, values: $0) }
    }

    override func execute(_ request: StoreSaveRequest) throws {
        for object in request.inserted + request.updated {
            guard case .number(let number) = referenceObject(for: object.objectID) else { continue }
            for key in object.changedKeys {
                entries[number, default: [:]][key] = try object.value(forKey: key)
            }
        }
    }
}
