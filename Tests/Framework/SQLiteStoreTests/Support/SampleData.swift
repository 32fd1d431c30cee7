import Foundation
import ObjectModel
import ObjectStore
import SeededRandom

/// Random objects with many `nil`s, equal values and awkward texts, so that predicates differ.
enum SampleData {
    static let texts = [
        "", "a", "A", "ab", "abc", "Äb", "a\u{308}b", "äB", "b", "B%_", "x*y?", "éclair", "e",
        "10", "9", "Straße", "STRASSE", "\u{1F408}", "line\nbreak", "İ", "nil", "1.5", "-2",
        "e\u{301}", "É", "\u{1F469}\u{200D}\u{1F467}", "\u{FF21}\u{3042}", "日本", "ﬁn", "ς", "Σ",
    ]

    static let numbers: [Int64] = [-2, -1, 0, 1, 2, 3, 7, 10, 100]

    static let decimals = [
        "0", "1", "1.5", "-2", "0.1", "12345678901234567890.5", "12345678901234567890.25", "100",
    ]

    static func dates(_ index: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(index) * 43200.5)
    }

    static func fill(_ session: TestSession, using random: inout SeededRandom) throws {
        func optional(_ value: GraphValue) -> GraphValue { random.chance(4) ? .null : value }
        var lists: [TestObject] = []
        for _ in 0..<4 { lists.append(session.insert("List", ["name": optional(text(&random))])) }
        var tags: [TestObject] = []
        for name in ["a", "b", "Ä", "bc", "10"] {
            tags.append(session.insert("Tag", ["name": .string(name)]))
        }
        tags.append(session.insert("Tag"))
        var items: [TestObject] = []
        for index in 0..<40 {
            let item = session.insert(index % 3 == 0 ? "Note" : "Task")
            item["title"] = text(&random)
            item["notes"] = optional(text(&random))
            item["rank"] = optional(.int(random.pick(numbers)))
            item["created"] = optional(.date(dates(Int.random(in: 0..<6, using: &random))))
            item["list"] = optional(random.pick(lists).reference)
            if index % 3 == 0 {
                item["body"] = optional(text(&random))
                item["size"] = optional(.double(random.pick([0, 0.5, 1, 2.5, -1])))
            } else {
                item["done"] = optional(.bool(random.chance(2)))
                item["size"] = optional(.int(random.pick(numbers)))
                if let parent = items.first(where: { $0.entity.name == "Task" }), random.chance(2) {
                    item["parent"] = parent.reference
                }
            }
            items.append(item)
        }
        for item in items {
            let chosen = tags.filter { _ in random.chance(3) }
            if !chosen.isEmpty { session.link(item, "tags", add: chosen) }
            let linked = items.filter { _ in random.chance(15) }
            if !linked.isEmpty { session.link(item, "backlinks", add: linked) }
        }
        session.link(tags[0], "friends", add: [tags[1], tags[2]])
        session.link(lists[0], "pinned", add: Array(items[0..<3]), order: Array(items[0..<3]))
        for index in 0..<30 { values(session, index, &random) }
        try session.save()
    }

    private static func text(_ random: inout SeededRandom) -> GraphValue {
        .string(random.pick(texts))
    }

    private static func values(
        _ session: TestSession,
        _ index: Int,
        _ random: inout SeededRandom
    ) {
        func optional(_ value: GraphValue) -> GraphValue { random.chance(4) ? .null : value }
        let object = session.insert("Values")
        object["short"] = optional(.int(random.pick(numbers)))
        object["medium"] = optional(.int(random.pick(numbers)))
        object["long"] = optional(.int(random.pick(numbers + [.max, .min, .max - 1])))
        object["decimal"] = optional(
            .decimal(Decimal(string: random.pick(decimals)) ?? 0)
        )
        object["double"] = optional(.double(random.pick([0, 1, 1.5, -2.25, 1e300, 0.1])))
        object["float"] = optional(.double(random.pick([0, 1, 0.5])))
        object["string"] = optional(text(&random))
        object["flag"] = optional(.bool(random.chance(2)))
        object["date"] = optional(.date(dates(Int.random(in: 0..<6, using: &random))))
        object["data"] = optional(.data(Data(random.pick([[], [0], [1, 2], [255]]))))
        object["uuid"] = optional(.uuid(uuids[Int.random(in: 0..<3, using: &random)]))
        object["uri"] = optional(
            URL(string: random.pick(["a:b", "http://x/y"])).value(as: GraphValue.url)
        )
        object["object"] = optional(.array([.int(Int64(index))]))
    }

    static let uuids = (1...3).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
}

extension Optional {
    fileprivate func value(as make: (Wrapped) -> GraphValue) -> GraphValue { map(make) ?? .null }
}
