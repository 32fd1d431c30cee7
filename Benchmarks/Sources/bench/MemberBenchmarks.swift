import CReference
import Foundation
import ObjectGraph

/// A class as people write it, and one as `modelgen` does, over the same relationship.
final class BenchShelf: ManagedObject {
    @Managed("volumes") var volumes: Set<BenchVolume>

    func addToVolumes(_ object: BenchVolume) { insert(object, intoRelationshipAt: 0) }

    func removeFromVolumes(_ object: BenchVolume) { remove(object, fromRelationshipAt: 0) }

    var volumesCount: Int { toManyCount(at: 0) }
}

final class BenchVolume: ManagedObject {
    @Managed("title") var title: String
    @Managed("shelf") var shelf: BenchShelf?
}

/// One member of many: edits and counts, the whole to-many relationship being in memory.
struct MemberBenchmarks {
    let folder: URL
    let count: Int
    let table: Table

    func run() throws {
        let url = folder.appending(path: "members.sqlite")
        for suffix in ["", "-wal", "-shm"] { unlink(url.path + suffix) }
        var options = StoreOptions()
        options.keepsHistory = false
        options.keepsSearchIndex = false
        let container = try PersistentContainer(
            model: Self.model(), classes: ["Shelf": BenchShelf.self, "Volume": BenchVolume.self],
            url: url, options: options)
        defer { container.close() }
        let context = container.viewContext
        context.tracksObservation = false
        let shelf = BenchShelf(context: context)
        for index in 0..<count {
            let volume = BenchVolume(context: context)
            volume.title = "volume \(index)"
            volume.shelf = shelf
        }
        try context.save()
        let guest = BenchVolume(context: context)
        let proxy = try shelf.mutableSetValue(forKey: "volumes")
        precondition(shelf.volumesCount == count)

        let generated = microseconds {
            shelf.$volumes.insert(guest)
            shelf.$volumes.remove(guest)
        }
        let generatedCount = microseconds { precondition(shelf.volumesCount == count) }
        let written = microseconds {
            shelf.$volumes.insert(guest)
            shelf.$volumes.remove(guest)
        }
        add("hand-written: add and remove one member", written, generated)
        let writtenCount = microseconds { precondition(shelf.$volumes.count == count) }
        add("hand-written: count the members", writtenCount, generatedCount)
        let proxied = try microseconds {
            try proxy.insert(.object(guest))
            try proxy.remove(.object(guest))
        }
        add("proxy: add and remove one member", proxied, generated)
        add(
            "proxy: count the members", microseconds { precondition(proxy.count == count) },
            generatedCount)
        let whole = microseconds(10) {
            shelf.volumes.insert(guest)
            shelf.volumes.remove(guest)
        }
        table.add("hand-written: add and remove by the whole set", count, whole, "µs")
    }

    private func add(_ work: String, _ value: Double, _ generated: Double) {
        table.add(work, count, value, "µs", against: ("generated", generated))
    }

    /// The time of one round among many.
    private func microseconds(_ rounds: Int = 10_000, _ body: () throws -> Void) rethrows -> Double {
        try median(3) { try seconds { for _ in 0..<rounds { try body() } } } / Double(rounds) * 1e6
    }

    private static func model() -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription(
                "Shelf", className: "BenchShelf",
                [
                    RelationshipDescription(
                        "volumes", to: "Volume", inverse: "shelf", toMany: true)
                ]),
            EntityDescription(
                "Volume", className: "BenchVolume",
                [
                    AttributeDescription("title", .string),
                    RelationshipDescription("shelf", to: "Shelf", inverse: "volumes"),
                ]),
        ])
    }
}
