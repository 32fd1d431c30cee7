import ChildProcess
import DocketCore
import Foundation
import ObjectGraph
import ObjectSync
import SeededRandom
import Testing

@testable import DocketSync

/// Two replicas and a client of another kind edit the same items on a real server.
///
/// `SYNC_SECONDS` says for how long; without it it is one round. At rest all three have the same, no
/// item and no line is lost unless somebody has deleted it, and nothing is doubled.
@Suite struct RandomEditsTests {
    private static let lists = ["Home", "Work", ""]

    /// What was acknowledged.
    private struct Truth {
        var number = 0
        /// The items that nobody has deleted, by the number in their titles.
        var items: Set<Int> = []
        /// The lines that were added to notes, by item.
        var lines: [Int: [String]] = [:]
        var done: Set<Int> = []
        var series: Set<Int> = []
        var edits = 0
    }

    private static func number(_ title: String) -> Int? {
        Int(title.dropFirst().prefix { $0.isNumber })
    }

    @Test(
        .enabled(
            if: Phone.isInstalled && InstalledProgram.has("radicale"),
            "vdirsyncer, todoman or radicale is not installed"
        )
    )
    func twoReplicasAndAnotherClientBecomeEqual() throws {
        var random = SeededRandom()
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["SYNC_SECONDS"].flatMap { Double($0) } ?? 0
        let server = try ServerAtHand(.radicale)
        let replicas = [try Replica(), try Replica()]
        var truth = Truth()
        for list in Self.lists { try add(to: replicas[0], list, &truth, isSeries: false) }
        try sync(replicas[0], server)
        let phone = try Phone(server: server)
        try phone.discover()
        try phone.sync()
        let end = Date() + seconds
        var rounds = 0
        repeat {
            rounds += 1
            for _ in 0..<random.below(4) + 2 {
                let replica = random.pick(replicas)
                for _ in 0..<random.below(6) + 1 { try edit(replica, &random, &truth) }
                if random.chance(2) { try edit(phone, &random, &truth) }
                if random.chance(2) { try sync(random.pick(replicas), server) }
                if random.chance(3) { try phone.sync() }
            }
            for _ in 0..<2 {
                for replica in replicas { try sync(replica, server) }
                try phone.sync()
            }
            for replica in replicas { try sync(replica, server) }
            for replica in replicas {
                #expect(try sync(replica, server) == "test: nothing has changed.\n")
            }
            try check(replicas, phone, truth)
        } while Date() < end
        print("\(rounds) rounds, \(truth.edits) edits, \(truth.number) items: equal at rest")
    }

    @discardableResult
    private func sync(_ replica: Replica, _ server: ServerAtHand) throws -> String {
        let (code, text) = try SyncProcess(store: replica.store, server: server).run()
        #expect(code == 0, "\(text)")
        return text
    }

    private func add(
        to replica: Replica,
        _ list: String,
        _ truth: inout Truth,
        isSeries: Bool
    ) throws {
        truth.number += 1
        let number = truth.number
        try replica.edit { library in
            let name = list.isEmpty ? "" : " +\(list)"
            let rule = isSeries ? " due 2026-11-02 every week" : ""
            let title = "\(isSeries ? "R" : "T")\(number) new"
            let task = try library.addTask(try library.capture("\(title)\(name)\(rule)")).task
            // As servers write it.
            if isSeries { task.rule = "FREQ=WEEKLY" }
            _ = try library.context.save()
        }
        truth.items.insert(number)
        if isSeries { truth.series.insert(number) }
    }

    private func edit(
        _ replica: Replica,
        _ random: inout SeededRandom,
        _ truth: inout Truth
    ) throws {
        truth.edits += 1
        let kind = random.below(12)
        if kind < 2 {
            return try add(to: replica, random.pick(Self.lists), &truth, isSeries: random.chance(4))
        }
        let edits = truth.edits
        try replica.edit { library in
            let open = try Task.all(in: library.context)
                .filter { $0.trashed == nil && $0.completed == nil }
                .sorted { $0.shortID < $1.shortID }
            guard let task = random.draw(open), let number = Self.number(task.title) else { return }
            switch kind {
            case 2, 3: task.title = "\(task.title.prefix(1))\(number) edit \(edits)"
            case 4, 5:
                let line = "line \(edits)"
                task.notes = [task.notes, line].compactMap(\.self).joined(separator: "\n")
                truth.lines[number, default: []].append(line)
            case 6: task.priority = Int16(random.below(4))
            case 7: task.due = Date(timeIntervalSince1970: 1_790_000_000 + Double(edits) * 3600)
            case 8:
                let name = random.pick(Self.lists)
                task.list = name.isEmpty ? nil : try library.existingList(path: [name])
            case 9, 10:
                if !truth.series.contains(number) { truth.done.insert(number) }
                _ = try library.perform(.complete, on: [task])
                return
            default:
                if truth.series.contains(number) { return }
                truth.items.remove(number)
                _ = try library.perform(.trash, on: [task])
                return
            }
            _ = try library.context.save()
        }
    }

    private func edit(
        _ phone: Phone,
        _ random: inout SeededRandom,
        _ truth: inout Truth
    ) throws {
        truth.edits += 1
        if random.chance(3) {
            truth.number += 1
            truth.items.insert(truth.number)
            return try phone.add("T\(truth.number) phone", list: random.pick(phone.lists))
        }
        let todos = try phone.todos().filter { !$0.completed && $0.summary.hasPrefix("T") }
        guard let todo = random.draw(todos), let number = Self.number(todo.summary) else { return }
        switch random.below(3) {
        case 0: try phone.complete(todo)
        case 1: try phone.prioritize(todo, random.pick(["high", "medium", "low"]))
        default:
            truth.items.remove(number)
            try phone.delete(todo)
        }
    }

    private func check(_ replicas: [Replica], _ phone: Phone, _ truth: Truth) throws {
        try expectEqual(replicas[0], replicas[1])
        let states = try replicas[0].edit { library in
            let tasks = try Task.all(in: library.context).filter { $0.trashed == nil }
            let engine = try SyncEngine(library.coordinator, SyncEntities.all)
            let kept = try engine.conflicts(in: library.context).map { "\($0.value)" }
            var numbers: [Int: Int] = [:]
            for task in tasks {
                guard let number = Self.number(task.title) else { continue }
                numbers[number, default: 0] += 1
                let isSeries = truth.series.contains(number)
                if truth.done.contains(number) {
                    #expect(task.completed != nil, "\(task.title) is open again")
                }
                if isSeries { continue }
                #expect(numbers[number] == 1, "\(task.title) is doubled")
                for line in truth.lines[number] ?? [] {
                    let isThere = (task.notes ?? "").contains(line)
                    #expect(isThere || kept.contains { $0.contains(line) }, "\(line) is lost")
                }
            }
            for number in truth.items { #expect(numbers[number] != nil, "\(number) is lost") }
            for number in truth.series {
                let open = tasks.filter {
                    Self.number($0.title) == number && $0.completed == nil
                }
                #expect(open.count == 1, "\(open.count) occurrences of \(number) are open")
            }
            return tasks.map { "\($0.title) \($0.completed != nil)" }.sorted()
        }
        let theirs = try phone.todos().map { "\($0.summary) \($0.completed)" }.sorted()
        #expect(states == theirs)
    }
}
