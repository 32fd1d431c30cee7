import FoundationEssentials
import ObjectModel
import SeededRandom
import Testing

@Suite struct SortingTests {
    private func sorted(
        _ values: [GraphValue],
        _ descriptors: FetchSortDescriptor...
    ) throws -> [GraphValue] {
        try values.sorted(using: descriptors)
    }

    @Test func nilComesFirstAscendingAndLastDescending() throws {
        for values in [[3, nil, 1], ["b", nil, "a"], [2.5, nil, 0.5]] as [[GraphValue]] {
            #expect(
                try sorted(values, FetchSortDescriptor("self")) == [
                    values[1], values[2], values[0],
                ]
            )
            #expect(
                try sorted(values, FetchSortDescriptor("self", ascending: false))
                    == [values[0], values[2], values[1]]
            )
        }
    }

    @Test func laterKeysDecideAmongEquals() throws {
        let rows: [GraphValue] = [
            ["a": 1, "b": "x"], ["a": 0, "b": "y"], ["a": 1, "b": "a"], ["a": nil, "b": "z"],
        ]
        #expect(
            try sorted(rows, FetchSortDescriptor("a", ascending: false), FetchSortDescriptor("b"))
                == [rows[2], rows[0], rows[1], rows[3]]
        )
    }

    @Test func equalElementsStayInTheirOrder() throws {
        let rows = (0..<100).map { GraphValue.dictionary(["k": .int($0 % 3), "n": .int($0)]) }
        for isAscending in [true, false] {
            let result = try sorted(rows, FetchSortDescriptor("k", ascending: isAscending))
            for (first, second) in zip(result, result.dropFirst()) {
                let keys = (try first.value(forKey: "k"), try second.value(forKey: "k"))
                let places = (try first.value(forKey: "n"), try second.value(forKey: "n"))
                if keys.0 == keys.1 {
                    #expect(places.0.numericOrder(to: places.1) == .before)
                }
            }
        }
    }

    @Test func textSortsByTheComparison() throws {
        let words: [GraphValue] = ["b", "a10", "B", "a2", "ä", "a"]
        func order(_ comparison: FetchSortDescriptor.Comparison) throws -> [GraphValue] {
            try sorted(words, FetchSortDescriptor("self", comparison: comparison))
        }
        #expect(try order(.binary) == ["B", "a", "a10", "a2", "b", "ä"])
        #expect(try order(.localizedStandard) == ["a", "ä", "a2", "a10", "b", "B"])
        #expect(try order(.caseInsensitive).suffix(3) == ["ä", "b", "B"])
    }

    @Test func numbersOfAllTypesSortTogether() throws {
        let half = try #require(Decimal(string: "0.5"))
        let numbers: [GraphValue] = [2, .decimal(half), 0.25, true, .double(.nan), -1]
        let result = try sorted(numbers, FetchSortDescriptor("self"))
        #expect(result.dropFirst() == [-1, 0.25, .decimal(half), true, 2])
    }

    @Test func extremesSortAroundNil() throws {
        let whole: [GraphValue] = [.int(.min), nil, .int(.max), 0]
        #expect(
            try sorted(whole, FetchSortDescriptor("self")) == [nil, .int(.min), 0, .int(.max)]
        )
        let fractions: [GraphValue] = [.double(-.infinity), nil, .double(.infinity), 0.0]
        #expect(
            try sorted(fractions, FetchSortDescriptor("self"))
                == [nil, .double(-.infinity), 0.0, .double(.infinity)]
        )
    }

    @Test func datesAndIdentifiersHaveAnOrder() throws {
        let dates = [3.0, 1.0, 2.0].map {
            GraphValue.date(Date(timeIntervalSinceReferenceDate: $0))
        }
        #expect(try sorted(dates, FetchSortDescriptor("self")) == [dates[1], dates[2], dates[0]])
        let ids = [3, 1, 2].map {
            GraphValue.objectID(ManagedObjectID(space: 0, entity: 1, key: $0))
        }
        #expect(try sorted(ids, FetchSortDescriptor("self")) == [ids[1], ids[2], ids[0]])
    }

    @Test func collectionsHaveNoOrder() {
        for value in [["k": [1]], ["k": .set([1])], ["k": ["x": 1]]] as [GraphValue] {
            #expect(throws: ObjectGraphError.self) {
                try sorted([value, value], FetchSortDescriptor("k"))
            }
        }
    }

    @Test func objectsSortByKeyPaths() throws {
        let boss = Person("Z")
        let people = [Person("b", age: 2), Person("a", age: 2), Person("c")]
        people[0].boss = boss
        let result = try people.sorted(
            using: [
                FetchSortDescriptor("boss.name"), FetchSortDescriptor("name", ascending: false),
            ])
        #expect(result.map(\.name) == ["c", "a", "b"])
        let existentials: [any KeyValueCoding] = people
        let names = try existentials.sorted(using: [FetchSortDescriptor("name")])
            .map { try $0.value(forKey: "name") }
        #expect(names == ["a", "b", "c"])
        #expect(throws: ObjectGraphError.self) {
            try people.sorted(using: [FetchSortDescriptor("nme")])
        }
    }

    @Test func comparatorOfOnesOwnDecides() throws {
        let byLength = FetchComparator { left, right in
            guard case .string(let a) = left, case .string(let b) = right else {
                return .orderedSame
            }
            return a.count < b.count
                ? .orderedAscending : a.count == b.count ? .orderedSame : .orderedDescending
        }
        let words: [GraphValue] = ["ccc", "a", nil, "bb", "dd"]
        let descriptor = FetchSortDescriptor("self", comparator: byLength)
        #expect(try sorted(words, descriptor) == [nil, "a", "bb", "dd", "ccc"])
        #expect(try sorted(words, descriptor.reversed) == ["ccc", "bb", "dd", "a", nil])
        #expect(descriptor == FetchSortDescriptor("self", comparator: byLength))
        #expect(descriptor != FetchSortDescriptor("self"))
    }

    @Test func twoObjectsCompare() throws {
        let descriptors = [FetchSortDescriptor("age", ascending: false)]
        let (young, old) = (Person("a", age: 1), Person("b", age: 9))
        #expect(try descriptors.compare(young, old) == .orderedDescending)
        #expect(try descriptors.compare(old, young) == .orderedAscending)
        #expect(try descriptors.compare(old, old) == .orderedSame)
    }

    @Test(arguments: SeededRandom.seeds(2))
    func columnsSortAsTheGeneralOrderDoes(_ seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let kind = Int.random(in: 0..<4, using: &generator)
            let rows = (0..<40).map { index -> GraphValue in
                let number = Int64.random(in: -3...3, using: &generator)
                let key: GraphValue =
                    switch (Int.random(in: 0..<5, using: &generator), kind) {
                    case (0, _): nil
                    case (_, 0): .int(number)
                    case (_, 1): .double(Double(number) / 2)
                    case (_, 2): .string(generator.text(upTo: 2))
                    default: number < 0 ? .int(number) : .string("\(number)")
                    }
                return ["k": key, "n": .int(Int64(index))]
            }
            let descriptor = FetchSortDescriptor(
                "k",
                ascending: Bool.random(using: &generator),
                comparison: [.binary, .localizedStandard].randomElement(using: &generator)
                    ?? .binary
            )
            let order = SortOrder([descriptor])
            let keys = try rows.map { try order.keys(of: $0) }
            let expected = rows.indices.sorted { i, j in
                switch order.order(keys[i], keys[j]) {
                case .before: true
                case .after: false
                case .same: i < j
                }
            }
            #expect(
                try rows.sorted(using: [descriptor]) == expected.map { rows[$0] },
                "seed \(seed)"
            )
        }
    }
}
