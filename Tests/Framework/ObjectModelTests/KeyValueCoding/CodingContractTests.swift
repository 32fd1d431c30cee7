import Foundation
import ObjectModel
import Testing

/// A plain class with dictionaries of dictionaries and objects, and narrow numbers.
private final class Crate: KeyTableCoding, KeyValueObserving {
    var keyObservers: KeyObservers?
    var name = ""
    var info: GraphValue = .null
    var tags: [String: String] = ["a": "1"]
    var inner: Crate?
    var crates: [Crate] = []
    var numbers: [Int] = [1, 2, 3]
    var narrow: Int8 = 0
    var wide: UInt64 = 0

    static let keyTable: AnyKeyTable = KeyTable<Crate> {
        $0.key("name", \.name)
        $0.key("info", \.info)
        $0.key("tags", \.tags)
        $0.toOne("inner", \.inner)
        $0.toMany("crates", \.crates)
        $0.key("numbers", \.numbers)
        $0.key("narrow", \.narrow)
        $0.key("wide", \.wide)
    }

    /// Names are kept without blanks around them, and not empty.
    func validateValue(_ value: inout GraphValue, forKey key: String) throws {
        guard key == "name" else {
            _ = try self.value(forKey: key)
            return
        }
        guard case .string(let text) = value, text.contains(where: { $0 != " " }) else {
            throw ObjectGraphError(.missingMandatory, "A crate needs a name.", key: key)
        }
        value = .string(text.filter { $0 != " " })
    }
}

@Suite("Key-value coding")
struct CodingContractTests {
    private let crate = Crate()

    private func code(_ body: () throws -> Void) -> ObjectGraphError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ObjectGraphError)?.code
        }
    }

    @Test func distinctUnionOfSetsHasTheKindOfTheReceiver() throws {
        let sets: [GraphValue] = [.set([1, 2]), .set([2, 3])]
        let ofArray = try GraphValue.array(sets).value(forKeyPath: "@distinctUnionOfSets.self")
        guard case .array(let members) = ofArray else {
            Issue.record("\(ofArray)")
            return
        }
        #expect(Set(members) == [1, 2, 3])
        #expect(members.count == 3)
        let ofSet = try GraphValue.set(Set(sets)).value(forKeyPath: "@distinctUnionOfSets.self")
        #expect(ofSet == .set([1, 2, 3]))
    }

    @Test func distinctUnionOfArraysTakesASetOfCollections() throws {
        let arrays: GraphValue = .set([[1, 2], [2, 3]])
        #expect(try arrays.value(forKeyPath: "@distinctUnionOfArrays.self") == .set([1, 2, 3]))
        let mixed: GraphValue = .set([[1, 2], .set([2, 3])])
        #expect(try mixed.value(forKeyPath: "@distinctUnionOfArrays.self") == .set([1, 2, 3]))
        let list: GraphValue = [[1, 2], .set([2])]
        #expect(try list.value(forKeyPath: "@distinctUnionOfArrays.self") == [1, 2])
    }

    @Test func misspeltOperatorOfADictionaryIsRefused() throws {
        let entries: GraphValue = .dictionary(["a": 1])
        #expect(code { _ = try entries.value(forKeyPath: "@typo") } == .undefinedKey)
        #expect(code { _ = try entries.value(forKey: "@typo") } == .undefinedKey)
        #expect(code { _ = try crate.value(forKeyPath: "tags.@typo") } == .undefinedKey)
        #expect(try entries.value(forKeyPath: "@count") == 1)
        #expect(try entries.value(forKey: "b") == .null)
        #expect(try GraphValue.dictionary(["@typo": 1]).value(forKey: "@typo") == 1)
    }

    @Test func operatorIsAKeyOfACollection() throws {
        #expect(try GraphValue.array([1, 2, 3]).value(forKey: "@count") == 3)
        #expect(try GraphValue.set([1, 2]).value(forKey: "@count") == 2)
        #expect(try GraphValue.dictionary(["a": 1]).value(forKey: "@count") == 1)
        #expect(try GraphValue.dictionary(["a": 1]).value(forKey: "@allKeys") == ["a"])
        #expect(code { _ = try GraphValue.array([1]).value(forKey: "@sum") } == .undefinedKey)
        #expect(code { _ = try GraphValue.array([1]).value(forKey: "@typo") } == .undefinedKey)
    }

    @Test func nullUnderADictionaryPathRemovesTheEntry() throws {
        try crate.setValue("2", forKeyPath: "tags.b")
        #expect(crate.tags == ["a": "1", "b": "2"])
        try crate.setValue(.null, forKeyPath: "tags.b")
        #expect(crate.tags == ["a": "1"])
        crate.info = .dictionary(["x": 1])
        try crate.setValue(.null, forKeyPath: "info.x")
        #expect(crate.info == .dictionary([:]))
    }

    @Test func pathLeadsSeveralLevelsIntoADictionary() throws {
        crate.info = .dictionary(["a": .dictionary(["b": .dictionary(["c": 1])])])
        try crate.setValue(2, forKeyPath: "info.a.b.c")
        #expect(try crate.value(forKeyPath: "info.a.b.c") == 2)
        try crate.setValue(.null, forKeyPath: "info.a.b.c")
        #expect(try crate.value(forKeyPath: "info.a.b.c") == .null)
        #expect(crate.info == .dictionary(["a": .dictionary(["b": .dictionary([:])])]))
        #expect(code { try crate.setValue(1, forKeyPath: "info.x.y") } == .wrongValueKind)
        let inner = Crate()
        crate.info = .dictionary(["box": .object(inner)])
        try crate.setValue("in", forKeyPath: "info.box.name")
        #expect(inner.name == "in")
    }

    @Test func objectInADictionaryOnAPathIsObserved() throws {
        let inner = Crate()
        crate.info = .dictionary(["box": .object(inner)])
        var names: [GraphValue] = []
        let token = try crate.observe("info.box.name") { names.append($1.newValue ?? "?") }
        try inner.setValue("in", forKey: "name")
        try crate.setValue(.null, forKey: "info")
        #expect(names == ["in", .null])
        token.invalidate()
    }

    @Test func narrowAndUnsignedIntegersAreValues() throws {
        try crate.setValue(-128, forKey: "narrow")
        #expect(crate.narrow == -128)
        #expect(try crate.value(forKey: "narrow") == -128)
        #expect(code { try crate.setValue(128, forKey: "narrow") } == .wrongValueKind)
        crate.wide = .max
        let greatest = try crate.value(forKey: "wide")
        #expect(UInt64(value: greatest) == .max)
        crate.wide = 0
        try crate.setValue(greatest, forKey: "wide")
        #expect(crate.wide == .max)
        #expect(UInt8(value: 256) == nil && UInt8(value: 255) == 255 && UInt16(value: -1) == nil)
        #expect(UInt(5).value == 5 && UInt32.max.value == 4_294_967_295)
    }

    @Test func membersAtTheEndOfAPathAreChangedThere() throws {
        let inner = Crate()
        crate.inner = inner
        try crate.mutableArrayValue(forKeyPath: "inner.numbers").append(4)
        #expect(inner.numbers == [1, 2, 3, 4])
        crate.inner = nil
        #expect(
            code { _ = try crate.mutableArrayValue(forKeyPath: "inner.numbers") } == .wrongValueKind
        )
        #expect(code { _ = try crate.mutableArrayValue(forKeyPath: "numbr") } == .undefinedKey)
    }

    @Test func membersChangeInBulkAsOneChange() throws {
        var told: [String] = []
        let token = try crate.observe("numbers", options: [.old, .new]) {
            let places = $1.indexes?.ranges.map { "\($0)" }.joined(separator: " ") ?? "-"
            told.append("\($1.kind) \(places)")
        }
        let numbers = try crate.mutableArrayValue(forKey: "numbers")
        try numbers.insert(contentsOf: [7, 8], at: 1)
        #expect(crate.numbers == [1, 7, 8, 2, 3])
        try numbers.remove(at: RangeSet([0..<1, 3..<5]))
        #expect(crate.numbers == [7, 8])
        try numbers.formUnion([8, 9, 9])
        #expect(crate.numbers == [7, 8, 9])
        try numbers.subtract([7, 100])
        #expect(crate.numbers == [8, 9])
        try numbers.swapAt(0, 1)
        #expect(crate.numbers == [9, 8])
        try numbers.formIntersection([8])
        #expect(crate.numbers == [8])
        #expect(numbers.contains(8) && !numbers.contains(9))
        try numbers.insert(contentsOf: [], at: 0)
        try numbers.subtract([50])
        #expect(
            told == [
                "insertion 1..<3", "removal 0..<1 3..<5", "insertion 2..<3", "removal 0..<1",
                "replacement 0..<2", "removal 0..<1",
            ]
        )
        token.invalidate()
    }

    @Test func plainClassValidatesAtTheEndOfAPath() throws {
        crate.inner = Crate()
        var value: GraphValue = " box "
        try crate.validateValue(&value, forKeyPath: "inner.name")
        #expect(value == "box")
        var empty: GraphValue = " "
        #expect(
            code { try crate.validateValue(&empty, forKeyPath: "inner.name") } == .missingMandatory
        )
        var other: GraphValue = 1
        #expect(code { try crate.validateValue(&other, forKeyPath: "inner.nmae") } == .undefinedKey)
        #expect(
            code { try crate.validateValue(&other, forKeyPath: "inner.inner.name") }
                == .wrongValueKind
        )
    }

    @Test func sortDescriptorsAreWrittenDown() throws {
        let order = [
            FetchSortDescriptor("name", ascending: false, comparison: .localizedStandard),
            FetchSortDescriptor("inner.name"),
        ]
        let data = try JSONEncoder().encode(order)
        #expect(try JSONDecoder().decode([FetchSortDescriptor].self, from: data) == order)
        let short = Data(#"{"keyPath":"name"}"#.utf8)
        #expect(
            try JSONDecoder().decode(FetchSortDescriptor.self, from: short)
                == FetchSortDescriptor("name")
        )
    }

    @Test func severalObjectsAreObservedAtOnce() throws {
        let crates = [Crate(), Crate()]
        var told: [String] = []
        let tokens = try crates.observe("name") {
            told.append("\($0 === crates[1]) \($1.newValue ?? .null)")
        }
        try crates[1].setValue("b", forKey: "name")
        try crates[0].setValue("a", forKey: "name")
        #expect(tokens.count == 2 && told.count == 2)
        #expect(told.first?.hasPrefix("true") == true && told.last?.hasPrefix("false") == true)
        #expect(code { _ = try crates.observe("nmae") { _, _ in } } == .undefinedKey)
    }
}
