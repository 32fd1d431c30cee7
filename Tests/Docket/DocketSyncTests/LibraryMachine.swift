import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import ObjectSync
import SeededRandom
import SyncSimulation

@testable import DocketSync

/// A library that exchanges with a server of calendars, in a simulation.
final class LibraryMachine: SimulatedMachine {
    private let server: SimulatedCalDAV
    let replica: Replica
    var intended: [String]?

    init(_ server: SimulatedCalDAV) throws {
        self.server = server
        replica = try Replica()
    }

    // The library is opened for each step.
    func close() {}
    func open() throws {}

    func contents() throws -> [String] {
        try replica.edit { library in
            let items = try Item.all(in: library.context).filter { $0.trashed == nil }
            return items.map(LibraryMachine.line).sorted()
        }
    }

    private static func line(_ item: Item) -> String {
        var parts = [item.title, item.list?.name ?? "-", "order \(item.displayOrder)"]
        parts.append(item.tags.map(\.name).sorted().joined(separator: ","))
        parts += [item.notes ?? "", item.flagged ? "flagged" : ""]
        if let note = item as? Note { parts.append(note.body ?? "") }
        if let task = item as? Task {
            parts += ["\(task.priority)", task.isDone ? "done" : "", rule(of: task)]
            parts += ["\(task.dueDate.map { Int($0.date.timeIntervalSince1970) } ?? 0)"]
            // One in the trash of a replica is not on the server.
            let parent = task.parent.flatMap { $0.trashed == nil ? $0 : nil }
            parts += [parent?.uuid.uuidString ?? "", task.location?.name ?? ""]
            parts += task.blockedBy.filter { $0.trashed == nil }.map(\.uuid.uuidString).sorted()
        }
        return "\(item.uuid): \(parts.joined(separator: "|").debugDescription)"
    }

    /// Words mean the rule that a calendar has for them.
    private static func rule(of task: Task) -> String {
        var record = ItemRecord(uuid: task.uuid, title: "", created: Date(), modified: Date())
        (record.recurrence, record.due) = (task.rule, task.dueDate)
        let dates = DateContext(now: Date(), zone: .utc)
        return record.recurrenceInCalendars(in: dates) ?? ""
    }

    func texts() throws -> Set<String> {
        try replica.edit { library in
            var result: Set<String> = []
            func add(_ name: String, _ key: String, _ text: String?) {
                for line in (text ?? "").split(separator: "\n") {
                    result.insert("\(name).\(key): \(line)")
                }
            }
            // Texts of an occurrence that was made of the one before it are nobody's.
            let items = try Item.all(in: library.context)
            for item in items where !LibraryMachine.isNamed(item.uuid) {
                let name = item.uuid.uuidString
                add(name, "title", item.title)
                add(name, "notes", item.notes)
                add(name, "body", (item as? Note)?.body)
            }
            let rows = FetchRequest<ManagedObject>(entityName: SyncModel.conflict)
            for row in try library.context.fetch(rows) {
                let conflict = try SyncConflict(row)
                guard case .string(let text) = conflict.value else { continue }
                add(conflict.key.name, conflict.property, text)
            }
            return result
        }
    }

    /// Whether a UUID was made of a series and a date.
    private static func isNamed(_ uuid: UUID) -> Bool { uuid.uuid.6 >> 4 == 8 }

    // MARK: Edits

    func edit(_ number: Int, _ random: inout SeededRandom) throws -> String {
        try replica.edit { library in
            let items = try Item.all(in: library.context).sorted { $0.uuid < $1.uuid }
            guard let item = random.draw(items), !random.chance(6) else {
                return try add(number, to: library, &random)
            }
            let name = "\(item.uuid.uuidString.prefix(4)) \(item.title)"
            if item.trashed != nil {
                let change: ItemChange = random.chance(4) ? .purge : .restore
                try library.perform(change, on: [item])
                return "\(change) \(name)"
            }
            let change = change(of: item, among: items, number, library, &random)
            try library.perform(change, on: [item])
            return "\(change) \(name)"
        }
    }

    private func add(
        _ number: Int,
        to library: Library,
        _ random: inout SeededRandom
    ) throws -> String {
        let parts = [
            random.pick(["T\(number)", "T\(number), “ä”; \\n 👩‍👧"]),
            random.pick(["", "+Home", "+Work"]), random.pick(["", "#out", "#desk"]),
            random.pick(["", "!high", "due:tomorrow", "due:today every day", "@Bank"]),
        ]
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        if random.chance(4) {
            let note = try library.addNote(capturing: "\(text)\nL\(number)")
            return "add \(note.uuid.uuidString.prefix(4)) \(text)"
        }
        let task = try library.addTask(capturing: text)
        return "add \(task.uuid.uuidString.prefix(4)) \(text)"
    }

    private func change(
        of item: Item,
        among items: [Item],
        _ number: Int,
        _ library: Library,
        _ random: inout SeededRandom
    ) -> ItemChange {
        let general: [ItemChange] = [
            .title("T\(number)"), .notes(lines(item.notes, number, &random)), .flag(!item.flagged),
            .tags(adding: [random.pick(["out", "desk", "far"])], removing: []),
            .tags(adding: [], removing: [random.pick(["out", "desk", "far"])]),
            .list(random.chance(3) ? .inbox : .path([random.pick(["Home", "Work", "Far"])])),
            .trash,
        ]
        guard let task = item as? Task else {
            let body = lines((item as? Note)?.body, number, &random)
            return random.chance(3) ? .body(body) : random.pick(general)
        }
        if random.chance(2) { return random.pick(general) }
        let parent = random.draw(items.filter { $0 is Task && $0.trashed == nil })
        switch random.below(7) {
        case 0, 1: return task.isDone ? .reopen : .complete
        case 2 where parent.map { !LibraryMachine.isAbove(task, $0) } ?? true:
            return .parent(random.chance(3) ? nil : parent?.objectID)
        case 3: return .priority(random.below(4))
        case 4: return .location(random.pick(["", "Bank", "Shop"]))
        case 5: return .repeats(random.pick(["", "daily", "weekly"]))
        default: return .due(random.chance(3) ? nil : DueDate(moment: library.clock().now))
        }
    }

    private static func isAbove(_ task: Task, _ item: Item) -> Bool {
        var next = item as? Task
        while let above = next {
            if above === task { return true }
            next = above.parent
        }
        return false
    }

    private func lines(_ text: String?, _ number: Int, _ random: inout SeededRandom) -> String? {
        var lines = (text ?? "").isEmpty ? [] : (text ?? "").components(separatedBy: "\n")
        let place = random.below(lines.count + 1)
        switch random.below(4) {
        case 0 where place < lines.count: lines[place] = "L\(number)"
        case 1 where place < lines.count: lines.remove(at: place)
        default: lines.insert(random.pick(["", "L\(number)", "  L\(number);, \\,"]), at: place)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    func takeBack(_ random: inout SeededRandom) throws -> String {
        try replica.edit { library in
            let step = random.chance(3) ? try library.redo() : try library.undo()
            return "undo \(step?.step.name ?? "nothing")"
        }
    }

    // MARK: Exchange

    func exchange(over network: Network, _ random: inout SeededRandom) throws -> String {
        do {
            let report = try replica.sync(Transport(server: server, network: network)) {
                $0.acceptsDeletions = true
            }
            return "exchange \(report)"
        } catch let error as SyncError where error.code == .offline {
            throw Network.Unreachable()
        }
    }

    func settle() throws -> String? {
        let report = try replica.sync(server) { $0.acceptsDeletions = true }
        return report.isEmpty ? nil : "\(report)"
    }

    private struct Transport: HTTPTransport {
        let server: SimulatedCalDAV
        let network: Network

        func send(_ requests: [HTTPRequest]) throws -> [HTTPResponse] {
            do {
                return try network.call { isWhole in
                    let count = isWhole ? requests.count : requests.count / 2
                    return try server.send(Array(requests.prefix(count)))
                }
            } catch is Network.Unreachable {
                throw SyncError(.offline, "The network has failed.")
            }
        }
    }
}
