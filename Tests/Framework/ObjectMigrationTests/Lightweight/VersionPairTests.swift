import CaseFiles
import Foundation
import ObjectGraph
import ObjectModel
import ObjectModelFile
import SQLiteStore
import SeededRandom
import Testing

/// Every pair of versions of the models of the cases.
@Suite struct VersionPairTests {
    /// The packages with several versions.
    static func packages() throws -> [URL] {
        let folder = CaseFiles.folder.appending(path: "models")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (names ?? []).filter { $0.hasSuffix(".xcdatamodeld") }.sorted()
            .map { folder.appending(path: $0) }
    }

    static func model(_ package: URL, _ version: String) throws -> ManagedObjectModel? {
        let model = try ModelPackage(contentsOf: package.path).versions[version]?.model
        guard let model else { return nil }
        GraphFilling.relax(model)
        for entity in model.entities {
            for case let attribute as AttributeDescription in entity.ownProperties
            where attribute.type == .transformable {
                attribute.valueTransformerName = nil
                attribute.isOptional = true
            }
        }
        return model
    }

    @Test(.enabled(if: CaseFiles.has("models"), "there is no folder of models"))
    func everyPairThatCanBeInferredMigratesWithItsRows() throws {
        var migrated: [String] = []
        var refused: [String] = []
        for package in try Self.packages() {
            guard let versions = try? ModelPackage(contentsOf: package.path).versionNames,
                versions.count > 1
            else { continue }
            for from in versions {
                for to in versions where to != from {
                    let place = "\(package.lastPathComponent): \(from) → \(to)"
                    do {
                        try Self.migrate(package, from, to, place)
                        migrated.append(place)
                    } catch let error as ObjectGraphError where error.code == .inferredMapping {
                        #expect(error.key != nil, "\(place): \(error)")
                        refused.append("\(place): \(error)")
                    }
                }
            }
        }
        print("migrated: \(migrated.count), refused: \(refused.joined(separator: "\n"))")
        #expect(migrated.count >= 20)
    }

    static func migrate(_ package: URL, _ from: String, _ to: String, _ place: String) throws {
        let old = try #require(try model(package, from))
        let new = try #require(try model(package, to))
        try check(old, new, SeededRandom(seed: 7), place)
    }

    /// Migrates a store with random objects, and compares it with what the rules want.
    static func check(
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel,
        _ random: SeededRandom,
        _ place: String
    ) throws {
        let folder = try MigrationFolder()
        let url = folder.file()
        let correspondence = try ModelCorrespondence(from: old, to: new)
        var filling = GraphFilling(random)
        try filling.makeStore(url, old)
        let before = try GraphDump(url, old)
        try SQLiteStore.migrate(url, to: new)
        let after = try GraphDump(url, new)
        let differences = after.withoutDerived(new)
            .differences(from: before.migrated(by: correspondence))
        #expect(differences.isEmpty, "\(place): \(differences.prefix(5))")
        let fresh = folder.file("fresh.sqlite")
        try PersistentContainer(model: new, url: fresh).close()
        let structure = try RawFile(url).structure()
        let wanted = try RawFile(fresh).structure()
        let left = Set(structure).symmetricDifference(wanted).sorted()
        #expect(left.isEmpty, "\(place): \(left.prefix(6))")
        #expect(try RawFile(url).integrity() == "ok", "\(place)")
        // It is a store like any other: it can be written.
        var more = GraphFilling(random, from: 10_000)
        try more.makeStore(url, new, each: 2)
        #expect(try RawFile(url).integrity() == "ok", "\(place)")
    }
}
