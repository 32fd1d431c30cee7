import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom

/// Does random commands as a person and scripts would, each of them one step.
struct RandomCommands {
    var generator: SeededRandom
    private let words = ["rent", "Ämter", "garden", "plan", "call", "seeds", "letter"]
    private let tags = ["bank", "out", "Home", "später"]
    private let lists = ["Home", "Home/Garden", "Work", "Work/Deep/Down"]

    init(seed: UInt64) { generator = SeededRandom(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    private mutating func one(_ values: [String]) -> String { values[number(values.count)] }

    private mutating func line() -> String {
        var line = "\(one(words)) \(one(words)) \(number(1000))"
        if chance(40) { line += " +\(one(lists))" }
        if chance(40) { line += " #\(one(tags))" }
        if chance(20) { line += " !high" }
        if chance(20) { line += " tomorrow" }
        return line
    }

    /// Some items, in display order.
    private mutating func some(_ library: Library) throws -> [Item] {
        let all = try library.items(matching: nil)
        if all.isEmpty { return [] }
        let first = number(all.count)
        return Array(all[first..<min(all.count, first + 1 + number(3))])
    }

    /// Does a command; without `imports` only those that can be part of a verb.
    mutating func run(on library: Library, imports: Bool = true) throws {
        try Library.unlessTrashed { try change(library, imports: imports) }
    }

    private mutating func change(_ library: Library, imports: Bool) throws {
        let items = try some(library)
        guard let item = items.first, !chance(25) else {
            if chance(20) {
                _ = try library.addNote(capturing: line() + "\nsome text")
            } else {
                _ = try library.addTask(capturing: line())
            }
            return
        }
        switch number(imports ? 13 : 12) {
        case 0: try library.complete(items)
        case 1: try library.reopen(items)
        case 2: try library.trash(items)
        case 3: try library.restore(items)
        case 4: try edit(item, library)
        case 5, 6: try move(items, library)
        case 7:
            try library.changeTags(of: items, adding: [one(tags)], removing: [one(tags)])
        case 8:
            try library.move(
                items,
                to: chance(70) ? try library.lists().randomElement(using: &generator) : nil
            )
        case 9: try nest(items, library)
        case 10: try changeLists(library)
        case 11: _ = try library.duplicate(items, withSubtasks: chance(50))
        default: try importSome(items, library)
        }
    }

    private mutating func edit(_ item: Item, _ library: Library) throws {
        var changes = [try FieldChange("title=\(one(words)) \(number(1000))")]
        changes.append(try FieldChange("tags=\(one(tags)),\(one(tags))"))
        changes.append(try FieldChange("notes=\(chance(50) ? one(words) : "")"))
        changes.append(try FieldChange("list=\(chance(50) ? one(lists) : "")"))
        if item is Task {
            changes.append(try FieldChange("due=\(chance(50) ? "2026-12-0\(1 + number(9))" : "")"))
            changes.append(try FieldChange("priority=\(number(4))"))
        }
        changes.shuffle(using: &generator)
        try library.edit(item, Array(changes.prefix(1 + number(changes.count))))
    }

    private mutating func move(_ items: [Item], _ library: Library) throws {
        let all = try library.items(matching: nil)
        let other = all[number(all.count)]
        switch number(4) {
        case 0: try library.place(items, .before(other))
        case 1: try library.place(items, .after(other))
        case 2: try library.place(items, .top)
        default: try library.place(items, .bottom)
        }
    }

    private mutating func nest(_ items: [Item], _ library: Library) throws {
        let tasks = items.compactMap { $0 as? Task }
        let all = try library.items(matching: nil).compactMap { $0 as? Task }
        let parent = chance(70) ? all.randomElement(using: &generator) : nil
        // A circle is refused; this is not a failure here.
        do { try library.setParent(parent, of: tasks) } catch is InputError {}
    }

    private mutating func changeLists(_ library: Library) throws {
        let known = try library.lists()
        guard let list = known.randomElement(using: &generator), !chance(30) else {
            _ = try library.addList(path: ["New \(number(5))", "\(one(words))"])
            return
        }
        switch number(3) {
        case 0: try library.delete(list)
        case 1: try library.rename(list, to: "\(one(words)) \(number(100))")
        default: try library.move(list, by: number(3) - 1)
        }
    }

    /// Imports changed copies of some items and a new one.
    private mutating func importSome(_ items: [Item], _ library: Library) throws {
        var writer = DocketJSONWriter()
        for item in items {
            var record = library.record(of: item)
            record.title += "+"
            record.tags = [one(tags)]
            record.timeEntries.append(
                TimeEntryRecord(start: Date(timeIntervalSince1970: 1_800_000_000), end: nil)
            )
            writer.write(record)
        }
        var new = ItemRecord(
            uuid: UUID(),
            title: one(words),
            created: Date(timeIntervalSince1970: 1_700_000_000)
        )
        new.parent = items.first { $0 is Task }?.uuid
        new.list = [one(lists)]
        writer.write(new)
        writer.finish()
        _ = try library.importItems(.json, from: writer.drain())
    }
}
