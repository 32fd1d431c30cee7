import ObjectContext
import ObjectModel
import SeededRandom
import Testing

@Suite("Two contexts in random turns")
struct MergePropertyTests {
    private static let keys = ["name", "age", "salary", "department", "boss"]

    /// What the rules of the two property policies say, kept without the framework.
    private struct Model {
        struct Row {
            var version = 1
            var values: [String: GraphValue]
        }

        /// What one context has read, and what it shows.
        struct View {
            var version = 1
            var base: [String: GraphValue]
            var mine: [String: GraphValue]

            var changed: [String] { keys.filter { mine[$0] != base[$0] } }
        }

        var rows: [Row]
        var views: [[View]]

        mutating func save(_ context: Int, _ policy: MergePolicy) {
            for index in rows.indices {
                var view = views[context][index]
                var row = rows[index]
                if view.changed.isEmpty { continue }
                let isConflict = row.version != view.version
                for key in MergePropertyTests.keys {
                    let isMine = view.mine[key] != view.base[key]
                    let isTheirs = isConflict && row.values[key] != view.base[key]
                    let wins = policy == .mergeByPropertyObjectTrump ? isMine : isMine && !isTheirs
                    if wins {
                        row.values[key] = view.mine[key]
                    } else if isConflict {
                        view.mine[key] = row.values[key]
                    }
                }
                if row.values != rows[index].values { row.version = rows[index].version + 1 }
                view.version = row.version
                view.base = view.mine
                rows[index] = row
                views[context][index] = view
            }
        }

        mutating func merge(_ context: Int, _ indexes: [Int]) {
            for index in indexes {
                var view = views[context][index]
                for key in MergePropertyTests.keys where view.mine[key] == view.base[key] {
                    view.mine[key] = rows[index].values[key]
                }
                view.base = rows[index].values
                view.version = rows[index].version
                views[context][index] = view
            }
        }
    }

    @Test(arguments: SeededRandom.seeds(60))
    func storeHoldsTheLastWriterByPolicy(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let first = try TestGraph.context()
        let contexts = [first, first.sibling()]
        let policies: [MergePolicy] = contexts.map { _ in
            random.below(2) == 0 ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump
        }
        for (context, policy) in zip(contexts, policies) { context.mergePolicy = policy }
        let homes = try (0..<3).map { _ in try first.make("Department") }
        let people = try (0..<4).map { _ in try first.make("Employee", ["age": 0]) }
        try first.save()
        // Everything is read in both, and stays so.
        let twins = people.map { contexts[1].object(with: $0.objectID) }
        let otherHomes = homes.map { contexts[1].object(with: $0.objectID) }
        let sides = [people, twins]
        let places = [homes, otherHomes]
        for person in twins { _ = person["name"] }
        let start: [String: GraphValue] = [
            "name": .null, "age": 0, "salary": .null, "department": .null, "boss": .null,
        ]
        var model = Model(
            rows: people.map { _ in .init(values: start) },
            views: contexts.map { _ in people.map { _ in .init(base: start, mine: start) } }
        )
        for step in 0..<40 {
            let turn = random.below(2)
            let place = "seed \(seed), step \(step)"
            switch random.below(6) {
            case 0:
                try contexts[turn].save()
                model.save(turn, policies[turn])
                try compareStore(model, people, first, place)
            case 1:
                let some = people.indices.filter { _ in random.below(2) == 0 }
                contexts[turn].mergeChanges(
                    ObjectIDChanges(updated: Set(some.map { people[$0].objectID }))
                )
                model.merge(turn, some)
            default:
                let index = random.below(people.count)
                let person = sides[turn][index]
                let key = random.draw(MergePropertyTests.keys) ?? "name"
                let value: GraphValue =
                    switch key {
                    case "name": .string("n\(random.below(3))")
                    case "age": .int(Int64(random.below(3)))
                    case "salary": .double(Double(random.below(3)))
                    case "department":
                        random.below(4) == 0 ? .null : .object(places[turn][random.below(3)])
                    default:
                        random.below(4) == 0 ? .null : .object(sides[turn][random.below(4)])
                    }
                person[key] = value
                model.views[turn][index].mine[key] = stored(value)
            }
            compareView(model.views[turn], sides[turn], place)
            #expect(inconsistent(sides[turn], places[turn]) == [], "\(place)")
        }
        for turn in 0..<2 {
            try contexts[turn].save()
            model.save(turn, policies[turn])
        }
        try compareStore(model, people, first, "seed \(seed), end")
        #expect(try inconsistencies(of: first.sibling()) == [], "seed \(seed)")
    }

    private func stored(_ value: GraphValue) -> GraphValue {
        if case .object(let object) = value, let id = object.managedObjectID {
            return .objectID(id)
        }
        return value
    }

    private func compareView(
        _ views: [Model.View],
        _ people: [ManagedObject],
        _ place: String
    ) {
        for (view, person) in zip(views, people) {
            let shown = MergePropertyTests.keys.map { stored(person[$0]) }
            #expect(shown == MergePropertyTests.keys.map { view.mine[$0] ?? .null }, "\(place)")
        }
    }

    private func compareStore(
        _ model: Model,
        _ people: [ManagedObject],
        _ context: ManagedObjectContext,
        _ place: String
    ) throws {
        let fresh = context.sibling()
        for (row, person) in zip(model.rows, people) {
            let object = fresh.object(with: person.objectID)
            let saved = MergePropertyTests.keys.map { stored(object[$0]) }
            #expect(saved == MergePropertyTests.keys.map { row.values[$0] ?? .null }, "\(place)")
        }
    }

    /// In memory too each person is in the lists of its department and its boss, and in no other.
    private func inconsistent(_ people: [ManagedObject], _ homes: [ManagedObject]) -> [String] {
        var found: [String] = []
        for person in people {
            for home in homes {
                let isListed = home.objects("staff").contains(person)
                if isListed != (person.object("department") === home) { found.append("staff") }
            }
            for boss in people {
                let isListed = boss.objects("reports").contains(person)
                if isListed != (person.object("boss") === boss) { found.append("reports") }
            }
        }
        return found
    }
}
