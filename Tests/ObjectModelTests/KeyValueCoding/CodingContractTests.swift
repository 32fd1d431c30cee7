import ObjectModel
import Testing

/// A plain class with dictionaries of dictionaries and objects, and narrow numbers.
private final class Crate: KeyTableCoding, KeyValueObserving {
    var keyObservers: KeyObservers?
    var name = ""
    var info: Value = .null
    var tags: [String: String] = ["a": "1"]
    var inner: Crate?
    var crates: [Crate] = []

    static let keyTable: AnyKeyTable = KeyTable<Crate> {
        $0.key("name", \.name)
        $0.key("info", \.info)
        $0.key("tags", \.tags)
        $0.toOne("inner", \.inner)
        $0.toMany("crates", \.crates)
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
        let sets: [Value] = [.set([1, 2]), .set([2, 3])]
        let ofArray = try Value.array(sets).value(forKeyPath: "@distinctUnionOfSets.self")
        guard case .array(let members) = ofArray else {
            Issue.record("\(ofArray)")
            return
        }
        #expect(Set(members) == [1, 2, 3])
        #expect(members.count == 3)
        let ofSet = try Value.set(Set(sets)).value(forKeyPath: "@distinctUnionOfSets.self")
        #expect(ofSet == .set([1, 2, 3]))
    }

    @Test func distinctUnionOfArraysTakesASetOfCollections() throws {
        let arrays: Value = .set([[1, 2], [2, 3]])
        #expect(try arrays.value(forKeyPath: "@distinctUnionOfArrays.self") == .set([1, 2, 3]))
        let mixed: Value = .set([[1, 2], .set([2, 3])])
        #expect(try mixed.value(forKeyPath: "@distinctUnionOfArrays.self") == .set([1, 2, 3]))
        let list: Value = [[1, 2], .set([2])]
        #expect(try list.value(forKeyPath: "@distinctUnionOfArrays.self") == [1, 2])
    }

    @Test func misspeltOperatorOfADictionaryIsRefused() throws {
        let entries: Value = .dictionary(["a": 1])
        #expect(code { _ = try entries.value(forKeyPath: "@typo") } == .undefinedKey)
        #expect(code { _ = try entries.value(forKey: "@typo") } == .undefinedKey)
        #expect(code { _ = try crate.value(forKeyPath: "tags.@typo") } == .undefinedKey)
        #expect(try entries.value(forKeyPath: "@count") == 1)
        #expect(try entries.value(forKey: "b") == .null)
        #expect(try Value.dictionary(["@typo": 1]).value(forKey: "@typo") == 1)
    }

    @Test func operatorIsAKeyOfACollection() throws {
        #expect(try Value.array([1, 2, 3]).value(forKey: "@count") == 3)
        #expect(try Value.set([1, 2]).value(forKey: "@count") == 2)
        #expect(try Value.dictionary(["a": 1]).value(forKey: "@count") == 1)
        #expect(try Value.dictionary(["a": 1]).value(forKey: "@allKeys") == ["a"])
        #expect(code { _ = try Value.array([1]).value(forKey: "@sum") } == .undefinedKey)
        #expect(code { _ = try Value.array([1]).value(forKey: "@typo") } == .undefinedKey)
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
        var names: [Value] = []
        let token = try crate.observe("info.box.name") { names.append($1.newValue ?? "?") }
        try inner.setValue("in", forKey: "name")
        try crate.setValue(.null, forKey: "info")
        #expect(names == ["in", .null])
        token.invalidate()
    }
}
