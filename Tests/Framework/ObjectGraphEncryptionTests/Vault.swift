import Encryption
import Foundation
import ObjectGraph
import ObjectGraphEncryption

/// A store with encrypted attributes, and what tests need around it.
final class Vault {
    let folder: String
    let ring: KeyRing
    let passphrase: SecretBytes
    private var options = StoreOptions()
    /// The store's file; `nil` in memory.
    let url: URL?
    let container: PersistentContainer
    let context: ManagedObjectContext
    /// Tests run at the same time, and transformers are registered for the process.
    private let prefix = UUID().uuidString

    init(
        inMemory: Bool = false,
        type: StoreType = .sqlite,
        configure: (EntityDescription) -> Void = { _ in }
    ) throws {
        folder = NSTemporaryDirectory() + "vault-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        passphrase = try SecretBytes("open sesame")
        ring = KeyRing(try KeyEnvelope(passphrase: passphrase, cost: .leastForTests))
        try ring.unlock(passphrase: passphrase)
        for key in ["password", "notes"] {
            let transformer = EncryptedTransformer(ring, for: "Credential.\(key)")
            ValueTransformers.register(transformer, as: prefix + key)
        }
        let model = Vault.model(prefix)
        if let entity = model.entity(named: "Credential") { configure(entity) }
        options.type = inMemory ? .inMemory : type
        url = inMemory ? nil : URL(filePath: folder + "/vault.sqlite")
        container = try PersistentContainer(model: model, url: url, options: options)
        context = container.viewContext
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func model(_ prefix: String) -> ManagedObjectModel {
        let attributes = ["password", "notes"].map { key in
            let attribute = AttributeDescription(key, .transformable)
            attribute.valueTransformerName = prefix + key
            return attribute
        }
        let name = AttributeDescription("name", .string)
        let entity = EntityDescription("Credential", [name] + attributes)
        return ManagedObjectModel([entity])
    }

    /// The store in another container.
    func reopened(
        configure: (EntityDescription) -> Void = { _ in }
    ) throws -> PersistentContainer {
        let model = Vault.model(prefix)
        if let entity = model.entity(named: "Credential") { configure(entity) }
        return try PersistentContainer(model: model, url: url, options: options)
    }

    func unlock() throws { try ring.unlock(passphrase: passphrase) }

    @discardableResult
    func add(_ name: String, _ password: GraphValue) throws -> ManagedObject {
        let object = try context.insert(entityNamed: "Credential")
        try object.setValue(.string(name), forKey: "name")
        try object.setValue(password, forKey: "password")
        return object
    }

    /// All bytes of all files of the store.
    func files() throws -> Data {
        var all = Data()
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for name in names {
            all.append((try? Data(contentsOf: URL(filePath: folder + "/" + name))) ?? Data())
        }
        return all
    }
}
