package import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import ObjectSync
package import SeededRandom

/// A ``RecordReplica`` of one or two servers of records, in a simulation.
package final class RecordMachine: SimulatedMachine {
    private let number: Int
    private let replica: RecordReplica
    private let servers: [SimulatedServer]
    package var intended: [String]?

    /// - Parameters:
    ///   - number: what the names of its items begin with.
    ///   - replica: the store.
    ///   - servers: what it exchanges with.
    package init(_ number: Int, _ replica: RecordReplica, _ servers: [SimulatedServer]) {
        (self.number, self.replica, self.servers) = (number, replica, servers)
    }

    package func close() { replica.close() }
    package func open() throws { try replica.open() }
    package func contents() throws -> [String] { try replica.dump() }

    package func texts() throws -> Set<String> {
        let context = replica.freshContext()
        var result: Set<String> = []
        func add(_ name: String, _ key: String, _ text: GraphValue) {
            guard case .string(let text) = text else { return }
            for line in text.split(separator: "\n") { result.insert("\(name).\(key): \(line)") }
        }
        for item in try replica.items() {
            guard case .string(let name) = item["name"] else { continue }
            for key in ["title", "notes"] { add(name, key, item[key]) }
        }
        // Also those of objects that are deleted: they are shown again when the object is back.
        for row in try context.fetch(FetchRequest<ManagedObject>(entityName: SyncModel.conflict)) {
            let conflict = try SyncConflict(row)
            guard case .string(let text) = conflict.value else { continue }
            add(conflict.key.name, conflict.property, .string(text))
        }
        return result
    }

    private func save(as name: String) throws {
        intended = try replica.dump(replica.context)
        try replica.context.save(as: name)
    }

    // MARK: Edits

    package func edit(_ number: Int, _ random: inout SeededRandom) throws -> String {
        let context = replica.freshContext()
        let items = try replica.items()
        guard let item = random.draw(items), !random.chance(8) else {
            let name = "\(self.number)-\(number)"
            let item = try replica.add(name, ["title": .string("T\(number)")])
            item["rank"] = .int(Int64(random.below(100)))
            if random.chance(3) {
                item["every"] = .int(Int64(1 + random.below(3)))
                item["due"] = .int(0)
            }
            try save(as: "Add")
            return "add \(name)"
        }
        let name = "\(item["name"])"
        try change(item, items, number, &random)
        let isDeleted = item.isDeleted
        let keys = isDeleted ? [] : item.changedKeys.sorted()
        if !isDeleted { item["modified"] = .date(Date()) }
        try save(as: "Edit")
        _ = context
        return isDeleted ? "delete \(name)" : "edit \(name) \(keys)"
    }

    private func change(
        _ item: ManagedObject,
        _ items: [ManagedObject],
        _ number: Int,
        _ random: inout SeededRandom
    ) throws {
        switch random.below(13) {
        case 0, 1: item["title"] = .string("T\(number)")
        case 2, 3: editNotes(of: item, number, &random)
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
        case 6, 7: move(item, random.chance(3) ? nil : random.draw(items))
        case 8: try complete(item)
        case 10:
            // A day is an odd number: it shows whether both values are of one edit.
            item["start"] = random.chance(4) ? .null : .int(Int64(number))
            item["isDay"] = .bool(item["start"] == .int(Int64(number | 1)))
        case 11: toggleWaiting(item, random.draw(items))
        case 9:
            var list = item["after"].elements ?? []
            if let other = random.draw(items), !list.contains(.object(other)) {
                list.insert(.object(other), at: random.below(list.count + 1))
            }
            if random.chance(3), !list.isEmpty { list.removeFirst() }
            if random.chance(3) { list.reverse() }
            item["after"] = .array(list)
        default: replica.context.delete(item)
        }
    }

    private func editNotes(of item: ManagedObject, _ number: Int, _ random: inout SeededRandom) {
        var lines: [String] = []
        if case .string(let text) = item["notes"], !text.isEmpty {
            lines = text.components(separatedBy: "\n")
        }
        let place = random.below(lines.count + 1)
        switch random.below(4) {
        case 0 where place < lines.count: lines[place] = "L\(number)"
        case 1 where place < lines.count: lines.remove(at: place)
        default: lines.insert("L\(number)", at: place)
        }
        item["notes"] = lines.isEmpty ? .null : .string(lines.joined(separator: "\n"))
    }

    private func move(_ item: ManagedObject, _ parent: ManagedObject?) {
        if let parent, Self.leads(from: parent, to: item, "parent") { return }
        item["parent"] = parent.map { .object($0) } ?? .null
    }

    private func toggleWaiting(_ item: ManagedObject, _ other: ManagedObject?) {
        guard let other else { return }
        var others = item["waits"].elements ?? []
        if others.contains(.object(other)) {
            others.removeAll { $0 == .object(other) }
        } else if Self.leads(from: other, to: item, "waits") {
            return
        } else {
            others.append(.object(other))
        }
        item["waits"] = .array(others)
    }

    private static func targets(_ object: ManagedObject, _ property: String) -> [ManagedObject] {
        let value = object[property]
        return (value.elements ?? [value]).compactMap {
            if case .object(let target as ManagedObject) = $0 { target } else { nil }
        }
    }

    /// Whether references lead from an object to another one, or are the same.
    private static func leads(
        from object: ManagedObject,
        to other: ManagedObject,
        _ property: String
    ) -> Bool {
        var met: Set = [object]
        var next = [object]
        while let object = next.popLast() {
            if object === other { return true }
            next += targets(object, property).filter { met.insert($0).inserted }
        }
        return false
    }

    /// The next occurrence has the same name wherever it is made.
    private func complete(_ item: ManagedObject) throws {
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

    package func takeBack(_ random: inout SeededRandom) throws -> String {
        let context = replica.freshContext()
        if !random.chance(3), random.chance(3), let conflict = random.draw(try replica.conflicts())
        {
            return try swap(conflict)
        }
        let isRedo = random.chance(3)
        do {
            let result =
                isRedo
                ? try context.redoLastCommand(onConflict: .skip)
                : try context.undoLastCommand(onConflict: .skip)
            return "\(isRedo ? "redo" : "undo") \(result?.step.name ?? "nothing")"
        } catch let error as ObjectGraphError where error.code == .constraintConflict {
            // What it would bring back is there under another ID.
            return "refused"
        }
    }

    private func swap(_ conflict: SyncConflict) throws -> String {
        let name = "swap \(conflict.key.name).\(conflict.property)"
        if ["parent", "waits"].contains(conflict.property) { return "not \(name)" }
        do {
            try replica.engine.swap(conflict, in: replica.context)
            try replica.context.save(as: "Swap")
        } catch let error as ObjectGraphError where error.code == .undoState {
            replica.context.rollback()
        }
        return name
    }

    // MARK: Exchange

    private func remote(_ number: Int, over network: Network) -> SimulatedServer.Remote {
        servers[number].remote("server \(number)", over: network)
    }

    package func exchange(
        over network: Network,
        _ random: inout SeededRandom
    ) throws -> String {
        let number = random.below(servers.count)
        let remote = remote(number, over: network)
        if random.chance(30) { servers[number].forgotten = random.below(200) }
        switch random.below(4) {
        case 0: return "pull \(try replica.engine.pull(from: remote))"
        case 1: return "push \(try replica.engine.push(to: remote))"
        default: return "exchange \(try replica.engine.synchronize(with: remote))"
        }
    }

    package func settle() throws -> String? {
        var changes: [String] = []
        for number in servers.indices {
            let report = try replica.engine.synchronize(with: remote(number, over: Network()))
            if !report.isEmpty { changes.append("\(report)") }
        }
        for item in try replica.items() {
            for property in ["parent", "waits"] {
                let targets = Self.targets(item, property)
                if targets.contains(where: { Self.leads(from: $0, to: item, property) }) {
                    throw SimulationFailure("\(item["name"]) leads to itself by \(property)")
                }
            }
            let isOdd = if case .int(let start) = item["start"] { start % 2 == 1 } else { false }
            if item["isDay"] != .bool(isOdd) {
                throw SimulationFailure("\(item["name"]) has half of a start")
            }
        }
        return changes.isEmpty ? nil : changes.joined(separator: ", ")
    }
}

extension World where Machine == RecordMachine {
    /// Replicas of servers of records.
    ///
    /// - Parameters:
    ///   - seed: chooses what happens.
    ///   - urls: where their stores are; `nil` = in memory.
    ///   - count: how many servers.
    ///   - surroundings: the clock and the disk.
    /// - Throws: the error of a store that cannot be made.
    package convenience init(
        _ seed: UInt64,
        _ urls: [URL?],
        servers count: Int = 1,
        _ surroundings: Surroundings = Surroundings()
    ) throws {
        let servers = (0..<count).map { _ in SimulatedServer() }
        for server in servers { server.partSize = 7 }
        let offsets: [TimeInterval] = [0, -3_600, 7_200, 0, 86_400, -60]
        let machines = try urls.enumerated().map { index, url in
            let replica = try RecordReplica(url, clockOffset: offsets[index % offsets.count])
            return RecordMachine(index, replica, servers)
        }
        self.init(
            seed,
            machines,
            servers.map { server in { RecordReplica.dump(server.records) } },
            surroundings
        )
    }
}
