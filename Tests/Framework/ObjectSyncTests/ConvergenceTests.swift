import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

@testable import ObjectSync

@Suite("Replicas become equal")
struct ConvergenceTests {
    /// One seed with `SYNC_SEED`.
    private static let seeds =
        ProcessInfo.processInfo.environment["SYNC_SEED"].flatMap(UInt64.init).map { $0...$0 }
        ?? SeededRandom.seeds(3)
    private static let steps = ProcessInfo.processInfo.environment["SYNC_STEPS"].flatMap(Int.init)

    @Test(arguments: ConvergenceTests.seeds)
    func replicasWithFilesBecomeEqual(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let urls = (0..<5).map { folder.url.appending(path: "replica-\($0).sqlite") }
        try World(seed, urls).run(steps: ConvergenceTests.steps ?? 250)
    }

    @Test(arguments: ConvergenceTests.seeds)
    func replicasInMemoryBecomeEqual(seed: UInt64) throws {
        try World(seed, Array(repeating: nil, count: 6)).run(steps: ConvergenceTests.steps ?? 250)
    }

    /// Changes go from one server to the other through the replicas; nothing is deleted.
    @Test(arguments: ConvergenceTests.seeds)
    func replicasOfTwoServersBecomeEqual(seed: UInt64) throws {
        let urls = [URL?](repeating: nil, count: 5)
        try World(seed, urls, servers: 2).run(steps: ConvergenceTests.steps ?? 150)
    }
}

/// A folder in memory, where there is one: a sync of a file costs nothing there.
final class ScratchFolder {
    let url: URL

    init() throws {
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let place = isThere ? memory : FileManager.default.temporaryDirectory
        url = place.appending(path: "object-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Some replicas, a server, and what people and the network do.
final class World {
    private var random: SeededRandom
    private let replicas: [Replica]
    private let servers: [SimulatedServer]
    private var counter = 0
    /// Titles and lines of notes that somebody has given, and of them those that somebody has replaced
    /// or removed knowingly.
    private var given: Set<String> = []
    private var replaced: Set<String> = []
    /// What a replica holds, until it exchanges.
    private var seen: [Int: Set<String>] = [:]
    private var trail: [String] = []

    init(_ seed: UInt64, _ urls: [URL?], servers count: Int = 1) throws {
        print("seed \(seed)")
        random = SeededRandom(seed: seed)
        let offsets: [TimeInterval] = [0, -3_600, 7_200, 0, 86_400, -60]
        replicas = try urls.enumerated().map { index, url in
            try Replica(url, clockOffset: offsets[index % offsets.count])
        }
        servers = (0..<count).map { _ in SimulatedServer() }
        for server in servers { server.partSize = 7 }
    }

    func run(steps: Int) throws {
        for step in 1...steps {
            try self.step()
            if step % 100 == 0 {
                try settle()
                if !check(step) { return }
            }
        }
        try settle()
        _ = check(steps)
    }

    private func note(_ index: Int, _ what: String) {
        trail.append("\(index): \(what)")
        if trail.count > 400 { trail.removeFirst(200) }
    }

    // MARK: Steps

    private func step() throws {
        let index = random.below(replicas.count)
        let replica = replicas[index]
        switch random.below(20) {
        case 12 where servers.count > 1: break
        case 0..<12: try act(index) { try self.edit(index) }
        case 12:
            do {
                try act(index) { try self.undo(index) }
            } catch let error as ObjectGraphError where error.code == .constraintConflict {
                // What it would bring back is there under another ID.
                note(index, "refused")
            }
        case 13:
            note(index, "kill")
            try replica.kill()
        default: try exchange(index)
        }
        if random.chance(60) { random.pick(servers).forgotten = random.below(200) }
    }

    /// What somebody does knowingly: texts that are gone afterwards are not missed, also if undo
    /// brings them back, because others may have seen that they were gone.
    private func act(_ index: Int, _ body: () throws -> Void) throws {
        let before = try seen[index] ?? held(replicas[index])
        seen[index] = nil
        try body()
        let after = try held(replicas[index])
        seen[index] = after
        replaced.formUnion(before.subtracting(after))
        given.formUnion(after)
    }

    private func edit(_ index: Int) throws {
        let replica = replicas[index]
        let context = replica.freshContext()
        let items = try replica.items()
        counter += 1
        guard let item = random.draw(items), !random.chance(8) else {
            let item = try replica.add("\(index)-\(counter)", ["title": .string("T\(counter)")])
            item["rank"] = .int(Int64(random.below(100)))
            if random.chance(3) {
                item["every"] = .int(Int64(1 + random.below(3)))
                item["due"] = .int(0)
            }
            note(index, "add \(item["name"])")
            return try context.save(as: "Add")
        }
        switch random.below(11) {
        case 0, 1: item["title"] = .string("T\(counter)")
        case 2, 3: editNotes(of: item)
        case 4:
            let tag = try replica.tag("tag\(random.below(4))")
            var tags = item["tags"].elements ?? []
            if tags.contains(.object(tag)) {
                tags.removeAll { $0 == .object(tag) }
            } else {
                tags.append(.object(tag))
            }
            item["tags"] = .array(tags)
        case 5: item["rank"] = .int(Int64(random.below(100)))
        case 6, 7: try move(item, random.chance(3) ? nil : random.draw(items))
        case 8: try complete(item, replica)
        case 9:
            var list = item["after"].elements ?? []
            if let other = random.draw(items), !list.contains(.object(other)) {
                list.insert(.object(other), at: random.below(list.count + 1))
            }
            if random.chance(3), !list.isEmpty { list.removeFirst() }
            if random.chance(3) { list.reverse() }
            item["after"] = .array(list)
        default:
            if servers.count > 1 { break }
            note(index, "delete \(item["name"])")
            context.delete(item)
        }
        if !item.isDeleted {
            note(index, "edit \(item["name"]) \(item.changedKeys)")
            item["modified"] = .date(Date())
        }
        try context.save(as: "Edit")
    }

    private func editNotes(of item: ManagedObject) {
        var lines: [String] = []
        if case .string(let text) = item["notes"], !text.isEmpty {
            lines = text.components(separatedBy: "\n")
        }
        let place = random.below(lines.count + 1)
        switch random.below(4) {
        case 0 where place < lines.count: lines[place] = "L\(counter)"
        case 1 where place < lines.count: lines.remove(at: place)
        default: lines.insert("L\(counter)", at: place)
        }
        item["notes"] = lines.isEmpty ? .null : .string(lines.joined(separator: "\n"))
    }

    private func move(_ item: ManagedObject, _ parent: ManagedObject?) throws {
        var above = parent
        while let object = above {
            if object === item { return }
            guard case .object(let next as ManagedObject) = object["parent"] else { break }
            above = next
        }
        item["parent"] = parent.map { .object($0) } ?? .null
    }

    /// The next occurrence has the same name wherever it is made.
    private func complete(_ item: ManagedObject, _ replica: Replica) throws {
        if item["done"] == .bool(true) {
            item["done"] = .bool(false)
            return
        }
        item["done"] = .bool(true)
        guard case .int(let days) = item["every"], case .int(let due) = item["due"],
            case .string(let name) = item["name"], case .string(let title) = item["title"]
        else { return }
        let series = name.prefix { $0 != "#" }
        let next = "\(series)#\(due + days)"
        if try replica.item(next) != nil { return }
        try replica.add(
            next,
            ["title": .string(title), "every": .int(days), "due": .int(due + days)]
        )
    }

    private func undo(_ index: Int) throws {
        let context = replicas[index].freshContext()
        if random.chance(3) {
            let name = try context.redoLastCommand(onConflict: .skip)?.step.name
            note(index, "redo \(name ?? "nothing")")
        } else if random.chance(3), let conflict = random.draw(try replicas[index].conflicts()) {
            note(index, "swap \(conflict.key.name).\(conflict.property)")
            guard conflict.property != "parent" else { return }
            do {
                try replicas[index].engine.swap(conflict, in: context)
                try context.save(as: "Swap")
            } catch let error as ObjectGraphError where error.code == .undoState {
                context.rollback()
            }
        } else {
            let name = try context.undoLastCommand(onConflict: .skip)?.step.name
            note(index, "undo \(name ?? "nothing")")
        }
    }

    // MARK: Exchange

    private func exchange(_ index: Int) throws {
        let number = random.below(servers.count)
        let remote = servers[number].remote("server \(number)")
        for _ in 0..<6 {
            switch random.below(12) {
            case 0: remote.faults.append(.lostRequest)
            case 1: remote.faults.append(.lostReply)
            case 2: remote.faults.append(.brokenOff)
            case 3: remote.faults.append(.doubledRequest)
            default: remote.faults.append(nil)
            }
        }
        seen[index] = nil
        defer { seen[index] = nil }
        note(index, "exchange \(number) \(remote.faults.map { $0.map { "\($0)" } ?? "-" })")
        remote.meanwhile = { [self] in
            guard random.chance(6) else { return }
            seen[index] = nil
            do { try act(index) { try self.edit(index) } } catch { Issue.record(error) }
        }
        do {
            switch random.below(4) {
            case 0: try replicas[index].engine.pull(from: remote)
            case 1: try replicas[index].engine.push(to: remote)
            default: try replicas[index].engine.synchronize(with: remote)
            }
        } catch is SimulatedServer.Unreachable {
            note(index, "unreachable")
            if random.chance(2) { try replicas[index].kill() }
        }
    }

    /// Everybody exchanges until nothing changes.
    private func settle() throws {
        let limit = 6
        for round in 1...limit {
            var isQuiet = true
            for (index, replica) in replicas.enumerated() {
                seen[index] = nil
                for (number, server) in servers.enumerated() {
                    let remote = server.remote("server \(number)")
                    let report = try replica.engine.synchronize(with: remote)
                    note(index, "settle \(report)")
                    if !report.isEmpty { isQuiet = false }
                }
            }
            if isQuiet { return }
            #expect(round < limit, "still changing after \(limit) rounds")
        }
    }

    // MARK: Checks

    /// The titles and the lines of notes that a replica has or keeps as the losers of conflicts, each
    /// with its item.
    private func held(_ replica: Replica) throws -> Set<String> {
        let context = replica.freshContext()
        var result: Set<String> = []
        func add(_ name: GraphValue, _ key: String, _ text: GraphValue) {
            guard case .string(let text) = text else { return }
            for line in text.split(separator: "\n") { result.insert("\(name).\(key): \(line)") }
        }
        for item in try replica.items() {
            for key in ["title", "notes"] { add(item["name"], key, item[key]) }
        }
        // Also those of objects that are deleted: they are shown again when the object is back.
        for row in try context.fetch(FetchRequest<ManagedObject>(entityName: "SyncConflict")) {
            let conflict = try SyncConflict(row)
            guard case .string(let text) = conflict.value else { continue }
            add(.string(conflict.key.name), conflict.property, .string(text))
        }
        return result
    }

    private func check(_ step: Int) -> Bool {
        do {
            let expected = Replica.dump(servers[0].records)
            for server in servers { #expect(Replica.dump(server.records) == expected) }
            var all: Set<String> = []
            for (index, replica) in replicas.enumerated() {
                let dump = try replica.dump()
                let isEqual = dump == expected
                #expect(isEqual, "replica \(index) at step \(step)")
                if !isEqual {
                    for line in Set(dump).symmetricDifference(expected).sorted() {
                        print(dump.contains(line) ? "  here " : "  there", line)
                    }
                    print(trail.suffix(150).joined(separator: "\n"))
                    return false
                }
                let names = dump.map { $0.prefix { $0 != ":" } }
                #expect(Set(names).count == names.count, "an item is doubled")
                all.formUnion(try held(replica))
                try checkCircles(replica)
            }
            let lost = given.subtracting(replaced).subtracting(all)
            #expect(lost.isEmpty, "at step \(step)")
            if !lost.isEmpty { print(trail.suffix(150).joined(separator: "\n")) }
            return lost.isEmpty
        } catch {
            Issue.record(error)
            return false
        }
    }

    private func checkCircles(_ replica: Replica) throws {
        for item in try replica.items() {
            var seen: Set<ManagedObject> = []
            var next: ManagedObject? = item
            while let object = next {
                guard seen.insert(object).inserted else {
                    Issue.record("\(item["name"]) is below itself")
                    break
                }
                if case .object(let parent as ManagedObject) = object["parent"] {
                    next = parent
                } else {
                    next = nil
                }
            }
        }
    }
}
