import Foundation
import ObjectGraph
import SeededRandom
import Testing

/// Files that are damaged, cut off, or not what they seem.
@Suite struct DamageTests {
    private let folder: TestFolder
    private let url: URL

    init() throws {
        folder = try TestFolder()
        url = folder.file("shop")
    }

    /// The bytes of a small store, which is closed.
    private func file(_ type: StoreType) throws -> Data {
        let container = try Shop.open(type, url)
        try Shop.fill(container.viewContext)
        container.close()
        return try Data(contentsOf: url)
    }

    private func opening(
        _ type: StoreType,
        _ bytes: Data,
        _ model: ManagedObjectModel
    ) throws -> ObjectGraphError? {
        try bytes.write(to: url)
        do {
            let container = try Shop.open(type, url, isReadOnly: true, model: model)
            _ = try Shop.dump(container.viewContext)
            container.close()
            return nil
        } catch { return try #require(error as? ObjectGraphError, "\(error)") }
    }

    @Test func everyFlippedBitOfABinaryStoreIsFound() throws {
        let bytes = try file(.binary)
        let model = Shop.model()
        var random = SeededRandom()
        for place in random.share(of: bytes.indices, oneIn: 16) {
            var damaged = bytes
            damaged[place] ^= 1 << UInt8(place % 8)
            let error = try opening(.binary, damaged, model)
            #expect(error?.code == .damagedFile, "byte \(place): \(error?.message ?? "opened")")
        }
    }

    @Test(arguments: Shop.atomicTypes)
    func everyTruncationIsFound(_ type: StoreType) throws {
        let bytes = try file(type)
        let model = Shop.model()
        // White space behind the end does not belong to a text.
        let end = type == .binary ? bytes.count : bytes.count - 1
        var random = SeededRandom()
        for length in random.share(of: 1..<end, oneIn: 16) {
            let error = try opening(type, bytes.prefix(length), model)
            #expect(error?.code == .damagedFile, "\(length) bytes: \(error?.message ?? "opened")")
        }
        #expect(try opening(type, Data(), model)?.code == .cannotOpen)
    }

    @Test(arguments: [StoreType.xml, .text])
    func randomDamageIsAnErrorOrAnotherText(_ type: StoreType) throws {
        let bytes = try file(type)
        let model = Shop.model()
        var random = SeededRandom()
        var refused = 0
        for _ in 0..<SeededRandom.rounds(100, long: 400) {
            var damaged = bytes
            for _ in 0...random.below(3) {
                damaged[random.below(damaged.count)] = UInt8(random.below(256))
            }
            if try opening(type, damaged, model) != nil { refused += 1 }
        }
        #expect(refused > 25, "\(refused)")
    }

    @Test(arguments: Shop.atomicTypes)
    func bytesBehindTheEndAreFound(_ type: StoreType) throws {
        let bytes = try file(type)
        let error = try opening(type, bytes + Data("x".utf8), Shop.model())
        #expect(error?.code == .damagedFile)
        #expect(error?.message.contains("shop") == true)
    }

    @Test(arguments: Shop.fileTypes, Shop.fileTypes)
    func storeOfAnotherTypeIsRefused(_ made: StoreType, _ asked: StoreType) throws {
        if made == asked { return }
        let bytes = try file(made)
        let error = failure { _ = try Shop.open(asked, url) }
        #expect(error?.code == .storeTypeMismatch, "\(error?.description ?? "opened")")
        #expect(try Data(contentsOf: url) == bytes)
        #expect(PersistentStoreCoordinator.storeType(at: url) == made)
    }

    @Test(arguments: Shop.atomicTypes)
    func letterIsNotAStore(_ type: StoreType) throws {
        let letter = Data("Dear reader,\nthis is a letter.\n".utf8)
        try letter.write(to: url)
        #expect(failure { _ = try Shop.open(type, url) } != nil)
        #expect(try Data(contentsOf: url) == letter)
        #expect(PersistentStoreCoordinator.storeType(at: url) == nil)
    }

    @Test(arguments: Shop.atomicTypes)
    func anotherModelIsRefusedByNames(_ type: StoreType) throws {
        _ = try file(type)
        let model = Shop.model { model in
            model.entity(named: "Toy")?.add(AttributeDescription("age", .integer16))
        }
        var options = Shop.options(type)
        options.migration.migratesAutomatically = false
        let error = failure {
            _ = try PersistentContainer(model: model, url: url, options: options)
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("different: Toy)") == true)
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url, type: type)
        #expect(try !model.isConfiguration(nil, compatibleWithStoreMetadata: metadata))
        #expect(try Shop.model().isConfiguration(nil, compatibleWithStoreMetadata: metadata))
    }

    @Test func newerFormatsAreNamed() throws {
        var text = String(decoding: try file(.text), as: UTF8.self)
        text.replace("text store 1\n", with: "text store 2\n")
        let error = try opening(.text, Data(text.utf8), Shop.model())
        #expect(error?.code == .cannotOpen && error?.message.contains("version 2") == true)

        try FileManager.default.removeItem(at: url)
        var xml = String(decoding: try file(.xml), as: UTF8.self)
        xml.replace(
            "<key>OGFormatVersion</key>\n\t<integer>1<",
            with: "<key>OGFormatVersion</key>\n\t<integer>2<"
        )
        xml.replace(
            #/<key>OGFormatVersion</key>\s*<integer>1</#,
            with: "<key>OGFormatVersion</key><integer>2<"
        )
        let newer = try opening(.xml, Data(xml.utf8), Shop.model())
        #expect(newer?.code == .cannotOpen && newer?.message.contains("newer") == true)
    }

    @Test func newerBinaryFormatIsNamed() throws {
        var bytes = try file(.binary)
        bytes[8] = 2
        // The header's checksum of a file that says version 2.
        var sum: UInt32 = 0xffff_ffff
        for byte in bytes.prefix(12) {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        withUnsafeBytes(of: (~sum).littleEndian) { bytes.replaceSubrange(12..<16, with: $0) }
        let error = try opening(.binary, bytes, Shop.model())
        #expect(error?.code == .cannotOpen && error?.message.contains("version 2") == true)
    }
}
