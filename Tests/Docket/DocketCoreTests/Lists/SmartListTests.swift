import CivilTime
import FoundationEssentials
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// What holds for every row of the table of built-in lists.
@Suite struct SmartListTests {
    @Test func everyListHasAKeyAPlaceAndATextOfItsOwn() {
        let lists = SmartList.table
        #expect(Set(lists.map(\.id)).count == lists.count)
        #expect(Set(lists.map(\.title)).count == lists.count)
        #expect(Set(lists.flatMap(\.keys)).count == lists.flatMap(\.keys).count)
        let clock = DateContext(now: Date(timeIntervalSince1970: 0), zone: .utc)
        for list in lists {
            #expect(!list.title.isEmpty && !list.keys.isEmpty, "\(list.id)")
            #expect(list.emptyText(clock).hasSuffix("."), "\(list.id)")
            #expect(Set(lists.map { $0.emptyText(clock) }).count == lists.count, "\(list.id)")
            #expect(SmartList.named(list.id) == list)
            #expect(SmartList.named(list.title.uppercased()) == list)
        }
        #expect(SmartList.named("nowhere") == nil)
    }

    @Test(arguments: SeededRandom.seeds(4))
    func whatAListFetchesIsWhatItsRuleSaysOfEachItem(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let clock = DateContext(now: Date(timeIntervalSince1970: 1_795_269_900), zone: .utc)
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-lists-\(UUID().uuidString).sqlite")
        let library = try Library(url: url, author: "test") { clock }
        defer {
            library.close()
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url.path + end)
            }
        }
        let days = ["", "yesterday", "today", "today 9:00", "today 23:00", "tomorrow", "in 6 days"]
        for number in 0..<40 {
            let day = days.randomElement(using: &random) ?? ""
            let list = random.below(2) == 0 ? "+Home" : ""
            let task = try library.addTask(
                capturing: "Task \(number) \(day) \(list) !\(random.below(4))"
            )
            if random.below(4) == 0 { try library.setFlagged(true, of: [task]) }
            if random.below(5) == 0 { try library.complete([task]) }
            if random.below(6) == 0 { try library.trash([task]) }
            if random.below(2) == 0, task.trashed == nil {
                let day = clock.today.adding(days: random.below(5) - 2)
                _ = try library.perform(.start(DueDate(day: day)), on: [task])
            }
        }
        _ = try library.addNote(capturing: "A note")
        // A rule may read what a row of an item has; anything else would not be counted.
        let entity = try #require(library.context.coordinator.model.entity(of: Task.self))
        let types: Set<AttributeType?> = [
            .boolean, .integer16, .integer32, .integer64, .date, .string, nil,
        ]
        for key in MembershipRules.keys {
            #expect(entity.property(named: key) != nil, "\(key)")
            let type = (entity.property(named: key) as? AttributeDescription)?.type
            #expect(types.contains(type), "\(key)")
        }
        let rules = MembershipRules(clock)
        // Other moments of the day, among them those of whole days in the store; and another day.
        let others = [0, 1, 34_200, 43_199, 43_200, 82_800, 86_399, 86_400, 200_000].map { second in
            var other = clock
            other.now = clock.zone.moment(clock.today).addingTimeInterval(second)
            return (MembershipRules(other, after: rules), MembershipRules(other))
        }
        var counts: [SmartList: Int] = [:]
        for item in try library.items(matching: nil) {
            var values: [String: GraphValue] = [:]
            for key in MembershipRules.keys where item.entity.property(named: key) != nil {
                var value = try item.value(forKey: key)
                if case .object(let object) = value, let id = object.managedObjectID {
                    value = .objectID(id)
                }
                values[key] = value
            }
            for list in try rules.smartLists(values) { counts[list, default: 0] += 1 }
            for (made, read) in others {
                #expect(try made.smartLists(values) == read.smartLists(values), "seed \(seed)")
            }
        }
        for list in MembershipRules.lists {
            let fetched = try library.count(list.countedCondition(clock))
            #expect(counts[list, default: 0] == fetched, "seed \(seed), \(list.id)")
        }
    }
}
