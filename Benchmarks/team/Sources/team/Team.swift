import Foundation
import ObjectGraph
import PostgreSQLStore
import Synchronization

// team URL fill ITEMS
// team URL run CLIENTS SECONDS PAUSE
// team URL once ITEMS
//
// `fill` makes a library with so many items. `once` saves so many in one save and fetches all of them, without
// searched texts, and prints the seconds of both; `Benchmarks/servers` compares them with `COPY`. `run` lets clients use it, each with a context and a
// connection of its own: a save after every fifth screen and a search after every tenth, with a pause
// of so many milliseconds on average after each. It prints how many there were a second and how long
// they took.

@main
struct Team: Sendable {
    let url: URL

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3, let url = URL(string: arguments[1]),
            let number = Int(arguments[3])
        else {
            fatalError(
                "usage: team URL fill ITEMS | team URL once ITEMS | team URL run CLIENTS SECONDS PAUSE"
            )
        }
        let team = Team(url: url)
        if arguments[2] == "fill" { return try team.fill(number) }
        if arguments[2] == "once" { return try team.once(number) }
        let more = arguments.dropFirst(4).compactMap { Int($0) }
        try team.run(number, seconds: more.first ?? 10, pause: more.count > 1 ? more[1] : 0)
    }

    func open(_ author: String, isSearched: Bool = true) throws -> ManagedObjectContext {
        let model = makeModel(isSearched: isSearched)
        let coordinator = try PersistentStoreCoordinator(model: model)
        _ = try coordinator.addPostgreSQLStore(url)
        coordinator.undoesByAuthor = true
        let context = ManagedObjectContext(coordinator: coordinator)
        context.transactionAuthor = author
        context.mergePolicy = .mergeByPropertyObjectTrump
        return context
    }

    func fill(_ count: Int) throws {
        let context = try open("fill")
        let start = ContinuousClock.now
        var lists: [ManagedObject] = []
        for index in 0..<50 {
            let list = try context.insert(entityNamed: "List")
            try list.setValue(.string("list \(index)"), forKey: "name")
            lists.append(list)
        }
        try context.save()
        try context.coordinator.importing {
            for index in 0..<count {
                let item = try context.insert(entityNamed: "Item")
                let text = (0..<3).map { words[(index >> (4 * $0)) % words.count] }
                try item.setValue(
                    .string(text.joined(separator: " ") + " \(index)"),
                    forKey: "title"
                )
                try item.setValue(.int(Int64(index) * 1024), forKey: "rank")
                try item.setValue(.date(Date()), forKey: "created")
                try item.setValue(.object(lists[index % lists.count]), forKey: "list")
                if index % 20_000 == 19_999 {
                    try context.save()
                    context.reset()
                    lists = try context.fetch(
                        FetchRequest<ManagedObject>(entityName: "List", sortDescriptors: [])
                    )
                }
            }
            try context.save()
        }
        print("\(count) items in \(ContinuousClock.now - start)")
    }

    func once(_ count: Int) throws {
        let context = try open("once", isSearched: false)
        for index in 0..<count {
            let item = try context.insert(entityNamed: "Item")
            try item.setValue(.string("\(words[index % words.count]) \(index)"), forKey: "title")
            try item.setValue(.int(Int64(index) * 1024), forKey: "rank")
            try item.setValue(.date(Date()), forKey: "created")
        }
        let save = try ContinuousClock().measure { try context.save(as: "Fill") }
        context.reset()
        let reader = try open("reader", isSearched: false)
        var found = 0
        let fetch = try ContinuousClock().measure {
            let request = FetchRequest<ManagedObject>(entityName: "Item", sortDescriptors: [])
            found = try reader.fetch(request).count
        }
        print("\(save / .seconds(1)) \(fetch / .seconds(1)) \(found)")
    }

    func run(_ clients: Int, seconds: Int, pause: Int) throws {
        let (screens, saves, searches) = (Times(), Times(), Times())
        let conflicts = Mutex(0)
        let largest = try { () -> Int64 in
            let context = try open("first")
            var request = FetchRequest<ManagedObject>(
                entityName: "Item",
                sortDescriptors: [FetchSortDescriptor("rank", ascending: false)]
            )
            request.limit = 1
            guard case .int(let rank)? = try context.fetch(request).first?.value(forKey: "rank")
            else { return 0 }
            return rank
        }()
        let ready = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        for client in 0..<clients {
            let thread = Thread {
                defer { ended.signal() }
                do {
                    let context = try open("client\(client)")
                    ready.signal()
                    go.wait()
                    let end = ContinuousClock.now + .seconds(seconds)
                    if pause > 0 { usleep(UInt32.random(in: 0..<UInt32(pause * 1000))) }
                    while ContinuousClock.now < end {
                        let rank = Int64.random(in: 0...max(1, largest))
                        var items: [ManagedObject] = []
                        func screen() throws {
                            var request = FetchRequest<ManagedObject>(
                                entityName: "Item",
                                predicate: try FetchPredicate(format: "rank >= %@", rank),
                                sortDescriptors: [FetchSortDescriptor("rank")]
                            )
                            request.limit = 50
                            request.relationshipKeyPathsForPrefetching = ["list"]
                            items = try context.fetch(request)
                        }
                        try screens.measure(screen)
                        switch Int.random(in: 0..<10) {
                        case 0, 1:
                            guard let item = items.randomElement() else { break }
                            try item.setValue(
                                .string("\(words.randomElement() ?? "") \(rank)"),
                                forKey: "title"
                            )
                            do {
                                try saves.measure { try context.save(as: "Rename") }
                            } catch {
                                conflicts.withLock { $0 += 1 }
                                context.rollback()
                            }
                        case 2:
                            let text =
                                "\(words.randomElement() ?? "") \(Int.random(in: 0..<100_000))"
                            try searches.measure {
                                _ = try context.search(text, entityName: "Item", limit: 50)
                            }
                        default: break
                        }
                        context.reset()
                        if pause > 0 { usleep(UInt32.random(in: 0..<UInt32(2000 * pause))) }
                    }
                } catch {
                    print("client \(client): \(error)")
                    ready.signal()
                }
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        for _ in 0..<clients { ready.wait() }
        for _ in 0..<clients { go.signal() }
        for _ in 0..<clients { ended.wait() }
        print("\(clients) clients, a pause of \(pause) ms, \(seconds) s")
        screens.describe("screens", seconds: seconds)
        saves.describe("saves", seconds: seconds)
        searches.describe("searches", seconds: seconds)
        print("failed saves: \(conflicts.withLock { $0 })")
    }
}

func makeModel(isSearched: Bool) -> ManagedObjectModel {
    let list = EntityDescription(
        "List",
        [
            AttributeDescription("name", .string),
            RelationshipDescription("items", to: "Item", inverse: "list", toMany: true),
        ]
    )
    let title = AttributeDescription("title", .string)
    title.isSearched = isSearched
    let rank = AttributeDescription("rank", .integer64)
    let item = EntityDescription(
        "Item",
        [
            title, rank, AttributeDescription("done", .date),
            AttributeDescription("created", .date),
            RelationshipDescription("list", to: "List", inverse: "items"),
        ]
    )
    item.indexes = [FetchIndexDescription("byRank", [FetchIndexDescription.Element("rank")])]
    return ManagedObjectModel([list, item])
}

let words = [
    "water", "buy", "call", "mail", "plan", "review", "garden", "letter", "report", "bicycle",
    "kitchen", "paint", "repair", "invoice", "meeting", "doctor", "ticket", "train", "photo",
    "book",
]

/// Times of one kind of work.
final class Times: Sendable {
    private let all = Mutex<[Double]>([])

    func measure(_ body: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try body()
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        all.withLock { $0.append(time) }
    }

    func describe(_ name: String, seconds: Int) {
        let sorted = all.withLock { $0.sorted() }
        if sorted.isEmpty { return print(name, "none") }
        func at(_ part: Double) -> String {
            String(format: "%.1f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
        }
        print(
            "\(name): \(sorted.count / seconds) a second; ms: half \(at(0.5)), 95 % \(at(0.95)),"
                + " 99 % \(at(0.99)), most \(at(1))"
        )
    }
}
