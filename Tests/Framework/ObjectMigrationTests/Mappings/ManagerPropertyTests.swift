import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import SeededRandom
import Testing

/// The manager makes of objects exactly what the rules of an inferred mapping say, for random models
/// and changes; only the keys are new.
@Suite struct ManagerPropertyTests {
    @Test func inferredMappingCarriedOutByTheManagerGivesWhatTheRulesSay() throws {
        var outcomes: [String: Int] = [:]
        let seeds = SeededRandom.seeds(20)
        for seed in seeds {
            let random = SeededRandom(seed: seed &+ 5000)
            var models = RandomModel(random)
            let old = models.make()
            let new = try models.change(old)
            guard !new.check().contains(where: \.isError), !old.check().contains(where: \.isError)
            else { continue }
            do {
                let isCompared = try check(old, new, random, "seed \(seed)")
                outcomes[isCompared ? "compared" : "left out", default: 0] += 1
            } catch let error as ObjectGraphError where error.code == .inferredMapping {
                outcomes["refused", default: 0] += 1
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print("outcomes of the manager: \(outcomes)")
        #expect(outcomes["compared", default: 0] > seeds.count / 3)
    }

    private func check(
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel,
        _ random: SeededRandom,
        _ place: String
    ) throws -> Bool {
        let folder = try MigrationFolder()
        let correspondence = try ModelCorrespondence(from: old, to: new)
        // A relationship that is found by its inverse alone is nothing that expressions say.
        for entry in correspondence.entities {
            for relationship in entry.destination.relationships
            where correspondence.origins(of: relationship).isEmpty {
                guard let inverse = relationship.inverse,
                    !correspondence.origins(of: inverse).isEmpty, relationship.isOrdered
                else { continue }
                return false
            }
        }
        var filling = GraphFilling(random)
        try filling.makeStore(folder.file(), old)
        let before = try GraphDump(folder.file(), old)
        let wanted = before.migrated(by: correspondence)
        if hasTooManyMembers(wanted, new) { return false }
        try PersistentStoreCoordinator.migrateStore(
            from: StoreDescription(url: folder.file()),
            model: old,
            to: StoreDescription(url: folder.file("new.sqlite")),
            model: new
        )
        let after = try GraphDump(folder.file("new.sqlite"), new).withoutDerived(new)
        let differences = relabelled(after, like: wanted).differences(
            from: relabelled(wanted, like: wanted)
        )
        #expect(differences.isEmpty, "\(place): \(differences.prefix(4))")
        #expect(try GraphDump(folder.file(), old) == before)
        return true
    }

    /// Whether a member belongs to more owners than its to-one inverse can say.
    private func hasTooManyMembers(_ dump: GraphDump, _ model: ManagedObjectModel) -> Bool {
        for entity in model.entities {
            for relationship in entity.relationships {
                guard let inverse = relationship.inverse else {
                    // Stored as a key of the owner in the member's row.
                    guard relationship.isToMany else { continue }
                    let owners = model.entities.filter { $0.isKind(of: relationship.entity ?? $0) }
                        .map(\.name)
                    let members = dump.objects.filter { key, _ in
                        owners.contains { key.hasPrefix($0 + "/") }
                    }.flatMap { $0.value[relationship.name] ?? [] }
                    if Set(members).count < members.count { return true }
                    continue
                }
                if !inverse.isToMany,
                    dump.objects.contains(where: { key, values in
                        key.hasPrefix(entity.name + "/")
                            && (values[relationship.name] ?? []).contains { member in
                                dump.objects[member]?[inverse.name] != [key]
                            }
                    })
                {
                    return true
                }
            }
        }
        return false
    }

    /// Objects by their places among those of their entity, in the order of their keys; lists that
    /// are not ordered sorted by them.
    private func relabelled(_ dump: GraphDump, like other: GraphDump) -> GraphDump {
        var names: [String: String] = [:]
        for (entity, keys) in Dictionary(
            grouping: dump.objects.keys,
            by: { $0.prefix { $0 != "/" } }
        ) {
            let sorted = keys.sorted { number($0) < number($1) }
            for (place, key) in sorted.enumerated() { names[key] = "\(entity)#\(place)" }
        }
        var result = GraphDump()
        for (key, values) in dump.objects {
            result.objects[names[key] ?? key] = values.mapValues { list in
                list.map { names[$0] ?? $0 }.sorted()
            }
        }
        return result
    }

    private func number(_ key: String) -> Int { Int(key.drop { $0 != "/" }.dropFirst()) ?? 0 }

    @Test func largeDataAndMetadataGoAlong() throws {
        func photos(_ name: String) -> ManagedObjectModel {
            let photo = EntityDescription("Photo", [AttributeDescription(name, .binary)])
            (photo.ownProperties[0] as? AttributeDescription)?.allowsExternalStorage = true
            return ManagedObjectModel([photo])
        }
        let folder = try MigrationFolder()
        let data = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var container = try PersistentContainer(model: photos("data"), url: folder.file())
        let photo = try container.viewContext.insert(entityNamed: "Photo")
        try photo.setValue(.data(data), forKey: "data")
        container.coordinator.openStores[0].metadata["Program"] = .string("mine")
        try container.viewContext.save()
        container.close()
        var mapping = try MappingModel.inferred(from: photos("data"), to: photos("image"))
        mapping["PhotoToPhoto"]?.attributeMappings = [
            try PropertyMapping("image", format: "$source.data")
        ]
        var options = StoreOptions()
        options.migration.versions = [photos("data")]
        options.migration.mappings = [mapping]
        container = try PersistentContainer(
            model: photos("image"),
            url: folder.file(),
            options: options
        )
        let found = try container.viewContext.fetch(
            FetchRequest<ManagedObject>(entityName: "Photo")
        )
        #expect(try found.first?.value(forKey: "image") == .data(data))
        #expect(container.coordinator.openStores[0].metadata["Program"] == .string("mine"))
        container.close()
        let files = FileManager.default.enumerator(atPath: folder.url.path)?
            .compactMap { $0 as? String }.filter { $0.contains("_EXTERNAL_DATA/") }
        // The file of the old store is gone, that of the new one is there.
        #expect(files?.count == 1)
    }

    /// In a process of its own, so that other tests do not count.
    @Test func memoryDoesNotGrowWithTheNumberOfObjects() async {
        await #expect(processExitsWith: .success) {
            _ = try MemoryPeak.migrating(2_000)
            let few = try MemoryPeak.migrating(10_000)
            let many = try MemoryPeak.migrating(60_000)
            // Caches of rows and pages fill to their limits.
            precondition(many < few + 20_000, "\(few) KB for few, \(many) KB for many")
        }
    }
}

/// The largest of several measurements.
private final class MemoryPeak: @unchecked Sendable {
    private(set) var value = 0

    func note() {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        value = max(value, Int(line.filter(\.isNumber)) ?? 0)
    }

    /// How many kilobytes more a migration of so many objects needs.
    static func migrating(_ count: Int) throws -> Int {
        let folder = try MigrationFolder()
        try ShapesModels.makeStore(folder.file(), canvases: 0, circles: 0)
        try RawFile(folder.file()).execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO ZPOINT (Z_PK, Z_ENT, Z_OPT, ZX, ZY) SELECT i, 2, 1, i, 0 FROM n;
            """
        )
        let (before, most) = (MemoryPeak(), MemoryPeak())
        before.note()
        try PersistentStoreCoordinator.migrateStore(
            from: StoreDescription(url: folder.file()),
            model: ShapesModels.first(),
            to: StoreDescription(url: folder.file("new.sqlite")),
            model: ShapesModels.second(),
            mapping: ShapesModels.mapping(policy: nil),
            monitor: MigrationMonitor { _ in most.note() }
        )
        let made = try RawFile(folder.file("new.sqlite")).rows("SELECT COUNT(*) FROM ZVERTEX")
        precondition(made == ["\(count)"])
        return most.value - before.value
    }
}
