import Encryption
import Foundation
import ObjectGraph
import ObjectGraphEncryption
import Testing

/// Encrypted attributes of classes that declare their properties.
@Suite("Typed encrypted properties", .serialized)
struct TypedPropertyTests {
    final class Login: ManagedObject {
        @Managed var name: String = ""
        @Managed(transformer: "TypedPropertyTests.password") var password: String?
        @Managed(rules: [.minimum(0)], transformer: "TypedPropertyTests.pin") var pin: Int?
        @Managed(transformer: "TypedPropertyTests.key") var key: Data?
        @Managed(transformer: "TypedPropertyTests.tags") var tags: [String] = []
        @Managed(transformer: "TypedPropertyTests.strict") var strict: String = ""
    }

    private let ring: KeyRing
    private let passphrase: SecretBytes
    private let container: PersistentContainer
    private var context: ManagedObjectContext { container.viewContext }

    init() throws {
        passphrase = try SecretBytes("pass")
        ring = KeyRing(try KeyEnvelope(passphrase: passphrase, cost: .leastForTests))
        try ring.unlock(passphrase: passphrase)
        for name in ["password", "pin", "key", "tags", "strict"] {
            EncryptedTransformer(ring, for: "TypedPropertyTests.\(name)").register()
        }
        container = try PersistentContainer(for: Login.self, options: .inMemory)
    }

    private func saved() throws -> Login {
        let login = Login(context: context)
        login.name = "bank"
        login.password = "secret"
        login.pin = 1234
        login.key = Data([1, 2, 3])
        login.tags = ["a", "b"]
        login.strict = "strict"
        try context.save()
        return login
    }

    private func check(_ login: Login) {
        #expect(login.password == "secret")
        #expect(login.pin == 1234)
        #expect(login.key == Data([1, 2, 3]))
        #expect(login.tags == ["a", "b"])
        #expect(login.strict == "strict")
    }

    @Test func valuesOfEveryTypeComeBack() throws {
        let login = try saved()
        check(login)
        context.refresh(login, mergeChanges: false)
        check(login)
        let other = container.newContext()
        check(try other.existingObject(with: login.objectID, as: Login.self))
    }

    @Test func lockedPropertyReadsNothingAndTheContextSaysWhy() throws {
        let login = try saved()
        ring.lock()
        let reads: [(String, () -> Bool)] = [
            ("password", { login.password == nil }), ("pin", { login.pin == nil }),
            ("key", { login.key == nil }), ("tags", { login.tags.isEmpty }),
            ("strict", { login.strict.isEmpty }),
        ]
        for (key, isEmpty) in reads {
            #expect(isEmpty())
            let error = context.lastFaultError as? ObjectGraphError
            #expect(error?.code == .valuesLocked)
            #expect(error?.key == key)
        }
        #expect(login.name == "bank")
        try ring.unlock(passphrase: passphrase)
        check(login)
    }

    @Test func typedSettingWhileLockedFailsTheSaveAndNothingIsLost() throws {
        let login = try saved()
        let changes: [(Login) -> Void] = [
            { $0.password = "new" }, { $0.password = nil }, { $0.password = "" }, { $0.pin = 5 },
            { $0.key = nil }, { $0.tags = [] }, { $0.strict = "" },
        ]
        for (index, change) in changes.enumerated() {
            ring.lock()
            change(login)
            login.name = "changed"
            let error = #expect(throws: ObjectGraphError.self, "\(index)") { try context.save() }
            #expect(error?.code == .valuesLocked)
            try ring.unlock(passphrase: passphrase)
            // Not even after unlocking: what was set is gone.
            #expect(throws: ObjectGraphError.self) { try context.save() }
            context.rollback()
            check(login)
            #expect(login.name == "bank")
        }
    }

    @Test func ruleOfTheDeclarationIsChecked() throws {
        let login = try saved()
        login.pin = -1
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.code == .numberTooSmall)
        #expect(error?.value == nil)
    }

    @Test func formThatShowsAndWritesBackWhileLockedLosesNothing() throws {
        let login = try saved()
        ring.lock()
        // What a form does that knows nothing of locking.
        login.password = login.password ?? ""
        #expect(throws: ObjectGraphError.self) { try context.save() }
        context.rollback()
        try ring.unlock(passphrase: passphrase)
        check(login)
    }
}
