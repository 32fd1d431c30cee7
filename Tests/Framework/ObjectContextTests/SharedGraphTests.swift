import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// Two and three contexts that change one graph at random, with every kind of relationship, delete rule
/// and merge policy: no save leaves a reference to a row that is gone, and after a merge every clean
/// relationship is what a fresh context reads.
///
/// `OBJECTGRAPH_STEPS` (default 1500) says how many steps each test makes, `DOCKET_SEED` with which seed
/// it begins.
@Suite("A graph shared by several contexts", .serialized)
struct SharedGraphTests {
    private static func environment(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    static var steps: Int { environment("OBJECTGRAPH_STEPS") ?? 1500 }
    /// Most graphs are young; in long runs every twentieth sees many generations of its objects.
    private static func length(ofGraph seed: UInt64) -> Int {
        seed % 20 == 0 && environment("OBJECTGRAPH_STEPS") != nil ? 1500 : 60
    }

    static let policies: [MergePolicy] = [
        .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]

    /// How a context learns what others save.
    enum Way: CaseIterable { case notification, ids, automatic, follower, history }

    @Test func contextsOverOneStoreInMemoryStayFreshAndLeaveNoReferenceToNothing() throws {
        try run("in memory") { (try SharedGraph.memory(), nil) }
    }

    @Test func contextsOverOneFileStayFreshAndLeaveNoReferenceToNothing() throws {
        try inFolder { folder in
            try run("one coordinator") {
                (try SharedGraph.sqlite(folder.appending(path: UUID().uuidString)), nil)
            }
        }
    }

    @Test func contextsOverCoordinatorsOfTheirOwnStayFreshAndLeaveNoReferenceToNothing() throws {
        try inFolder { folder in
            try run("own coordinators") {
                let url = folder.appending(path: UUID().uuidString)
                return (try SharedGraph.sqlite(url), url)
            }
        }
    }

    /// Each process changes the graph as fast as it can, and looks at one state of the store after every
    /// save.
    @Test func twoProcessesLeaveNoReferenceToNothing() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = UInt64(Self.environment("DOCKET_SEED") ?? 1)
        let url = folder.appending(path: "store")
        let coordinator = try SharedGraph.sqlite(url)
        let setup = ManagedObjectContext(coordinator: coordinator)
        for (entity, count) in [("Owner", 3), ("Member", 5), ("Leader", 1), ("Tag", 2)] {
            for _ in 0..<count { try setup.make(entity) }
        }
        try setup.save()
        let path = url.path
        let steps = Self.steps / 5
        async let first: Void = Self.process(path, seed, steps)
        async let second: Void = Self.process(path, seed &+ 1_000_000, steps)
        _ = try await (first, second)
        let fresh = ManagedObjectContext(coordinator: try SharedGraph.sqlite(url))
        #expect(try SharedGraph.dangling(in: fresh) == [])
        print("shared graph, two processes: seed \(seed), \(steps) steps each")
    }

    private static func process(_ path: String, _ seed: UInt64, _ steps: Int) async throws {
        await #expect(processExitsWith: .success) { [path, seed, steps] in
            let coordinator = try SharedGraph.sqlite(URL(filePath: path))
            let other = try SharedGraph.sqlite(URL(filePath: path))
            let context = ManagedObjectContext(coordinator: coordinator)
            let follower = try StoreFollower(context)
            var random = SeededRandom(seed: seed)
            var editor = SharedGraphEditor(context, SeededRandom(seed: random.next()))
            for entity in ["Owner", "Member", "Tag"] { _ = try context.all(entity) }
            let isLong = SharedGraphTests.environment("OBJECTGRAPH_STEPS") != nil
            var compared = 0
            for step in 0..<steps {
                context.mergePolicy = random.pick(SharedGraphTests.policies)
                switch random.below(8) {
                case 0:
                    guard try editor.save() else { continue }
                    for store in other.openStores { store.rows.removeAll() }
                    let fresh = ManagedObjectContext(coordinator: other)
                    try fresh.pinToCurrentGeneration()
                    #expect(try SharedGraph.dangling(in: fresh) == [], "seed \(seed), step \(step)")
                case 1:
                    try follower.catchUp()
                    if !isLong { continue }
                    let place = try other.currentHistoryToken()
                    for store in other.openStores { store.rows.removeAll() }
                    let fresh = ManagedObjectContext(coordinator: other)
                    let found = try SharedGraph.outdated(in: context, fresh)
                    // Only if nobody has saved from the merge to the end of the comparison.
                    guard follower.token == place, try other.currentHistoryToken() == place else {
                        continue
                    }
                    compared += 1
                    #expect(found == [], "seed \(seed), step \(step)")
                default: try editor.edit()
                }
            }
            print(
                "a process: \(editor.saves) saves, \(editor.conflicts) conflicts, \(compared) compared"
            )
        }
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// Makes graphs until there are enough steps; a file's URL gives each context a coordinator of its
    /// own.
    private func run(
        _ name: String,
        _ make: () throws -> (PersistentStoreCoordinator, URL?)
    ) throws {
        var seed = UInt64(Self.environment("DOCKET_SEED") ?? 1)
        let first = seed
        var tally = Tally()
        while tally.steps < Self.steps {
            let (coordinator, url) = try make()
            defer { for store in coordinator.openStores { coordinator.remove(store) } }
            var world = try World(seed, coordinator, url)
            for step in 0..<Self.length(ofGraph: seed) {
                do { try world.step() } catch {
                    Issue.record("\(name), seed \(seed), step \(step): \(error)")
                    return
                }
                tally.steps += 1
                guard world.problems.isEmpty else {
                    Issue.record(
                        "\(name), seed \(seed), step \(step), \(world.plan): \(world.problems)"
                    )
                    return
                }
            }
            tally.add(world)
            seed += 1
        }
        print("shared graph, \(name): seeds \(first) to \(seed - 1), \(tally)")
    }

    private struct Tally: CustomStringConvertible {
        var steps = 0
        private var saves = 0
        private var conflicts = 0
        private var denials = 0
        private var merges = 0

        mutating func add(_ world: World) {
            saves += world.peers.reduce(0) { $0 + $1.editor.saves }
            conflicts += world.peers.reduce(0) { $0 + $1.editor.conflicts }
            denials += world.peers.reduce(0) { $0 + $1.editor.denials }
            merges += world.merges
        }

        var description: String {
            "\(steps) steps, \(saves) saves, \(conflicts) conflicts, \(denials) denied, \(merges) merges"
        }
    }

    /// A context with what it needs to learn of the others.
    private final class Peer {
        let context: ManagedObjectContext
        var editor: SharedGraphEditor
        let way: Way
        var inbox: [ContextDidSave] = []
        let follower: StoreFollower?
        private var place: HistoryToken

        init(_ context: ManagedObjectContext, _ way: Way, _ random: SeededRandom) throws {
            self.context = context
            self.way = way
            editor = SharedGraphEditor(context, random)
            follower = way == .follower ? try StoreFollower(context) : nil
            place = try context.coordinator.currentHistoryToken()
            if way == .automatic { context.automaticallyMergesChangesFromParent = true }
        }

        func merge() throws {
            switch way {
            case .notification: for save in inbox { context.mergeChanges(from: save) }
            case .ids: for save in inbox { context.mergeChanges(save.changes) }
            case .automatic: context.processPendingChanges()
            case .follower: try follower?.catchUp()
            case .history:
                var request = HistoryRequest()
                request.after = place
                let news = try context.coordinator.history(request)
                place = news.token
                ManagedObjectContext.mergeChanges(news.changes, into: [context])
            }
            inbox = []
        }
    }

    private struct World {
        let peers: [Peer]
        let plan: String
        private let coordinator: PersistentStoreCoordinator
        private var random: SeededRandom
        private(set) var merges = 0
        private(set) var problems: [String] = []
        private let mailboxes: Mailboxes

        init(_ seed: UInt64, _ coordinator: PersistentStoreCoordinator, _ url: URL?) throws {
            var random = SeededRandom(seed: seed)
            self.coordinator = coordinator
            // Without a coordinator in common, only these bring the saves of others.
            let ways = url == nil ? Way.allCases : [.notification, .ids, .follower, .history]
            let setup = ManagedObjectContext(coordinator: coordinator)
            for (entity, count) in [("Owner", 3), ("Member", 4), ("Leader", 1), ("Tag", 2)] {
                for _ in 0..<count { try setup.make(entity) }
            }
            try setup.save()
            var peers: [Peer] = []
            for _ in 0..<(random.chance(3) ? 3 : 2) {
                let own = try url.map(SharedGraph.sqlite) ?? coordinator
                let context = ManagedObjectContext(coordinator: own)
                context.mergePolicy = random.pick(SharedGraphTests.policies)
                let peer = try Peer(context, random.pick(ways), SeededRandom(seed: random.next()))
                for entity in ["Owner", "Member", "Tag"] { _ = try context.all(entity) }
                peers.append(peer)
            }
            self.peers = peers
            self.random = random
            plan = peers.map { "\($0.context.mergePolicy) by \($0.way)" }.joined(separator: ", ")
            mailboxes = Mailboxes(peers)
        }

        mutating func step() throws {
            let peer = random.pick(peers)
            if random.chance(8) {
                peer.context.mergePolicy = random.pick(SharedGraphTests.policies)
            }
            switch random.below(8) {
            case 0:
                if try peer.editor.save() {
                    problems += try SharedGraph.dangling(in: fresh())
                }
            case 1:
                try peer.merge()
                merges += 1
                problems += try SharedGraph.outdated(in: peer.context, fresh())
            default: try peer.editor.edit()
            }
        }

        private func fresh() -> ManagedObjectContext {
            // Nobody tells this coordinator of what those of the contexts have written.
            if peers.allSatisfy({ $0.context.coordinator !== coordinator }) {
                for store in coordinator.openStores { store.rows.removeAll() }
            }
            return ManagedObjectContext(coordinator: coordinator)
        }
    }

    /// Brings each save to the inboxes of the others.
    private final class Mailboxes {
        private var tokens: [GraphNotificationCenter.Token] = []
        private let center = GraphNotificationCenter.default

        init(_ peers: [Peer]) {
            for peer in peers {
                let others = peers.filter { $0 !== peer }
                tokens.append(
                    center.addObserver(of: ContextDidSave.self, from: peer.context) { save in
                        for other in others { other.inbox.append(save) }
                    }
                )
            }
        }

        deinit { for token in tokens { center.removeObserver(token) } }
    }
}
