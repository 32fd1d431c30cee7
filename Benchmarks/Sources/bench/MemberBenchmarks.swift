import CReference
import Foundation
import ObjectGraph

final class BenchShelf: ManagedObject {
    @Managed(inverse: \.shelf) var volumes: Set<BenchVolume>
}

final class BenchVolume: ManagedObject {
    @Managed var title: String
    @Managed var shelf: BenchShelf?
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
            for: BenchShelf.self,
            url: url,
            options: options
        )
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
        precondition(shelf.$volumes.count == count)

        let edit = microseconds {
            shelf.$volumes.insert(guest)
            shelf.$volumes.remove(guest)
        }
        table.add("add and remove one member", count, edit, "µs")
        let counted = microseconds { precondition(shelf.$volumes.count == count) }
        table.add("count the members", count, counted, "µs")
        let proxied = try microseconds {
            try proxy.insert(.object(guest))
            try proxy.remove(.object(guest))
        }
        add("proxy: add and remove one member", proxied, edit)
        add(
            "proxy: count the members",
            microseconds { precondition(proxy.count == count) },
            counted
        )
        let whole = microseconds(10) {
            shelf.volumes.insert(guest)
            shelf.volumes.remove(guest)
        }
        table.add("add and remove by the whole set", count, whole, "µs")
    }

    private func add(_ work: String, _ value: Double, _ direct: Double) {
        table.add(work, count, value, "µs", against: ("by property", direct))
    }

    /// The time of one round among many.
    private func microseconds(_ rounds: Int = 10_000, _ body: () throws -> Void) rethrows -> Double
    {
        try median(3) { try seconds { for _ in 0..<rounds { try body() } } } / Double(rounds) * 1e6
    }
}
