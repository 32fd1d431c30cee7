import FoundationEssentials
import ObjectModel
import Testing

@Suite struct CollectionOperatorTests {
    private let rows: GraphValue = [
        ["n": 1, "t": "a"], ["n": 4, "t": "b"], ["n": nil, "t": "a"], ["n": 4],
    ]

    private func code(_ path: String, of value: GraphValue) -> ObjectGraphError.Code? {
        do {
            _ = try value.value(forKeyPath: path)
            return nil
        } catch {
            return (error as? ObjectGraphError)?.code
        }
    }

    @Test func operatorsLeaveNilOut() throws {
        #expect(try rows.value(forKeyPath: "@count") == 4)
        #expect(try rows.value(forKeyPath: "@sum.n") == 9)
        #expect(try rows.value(forKeyPath: "@avg.n") == 3)
        #expect(try rows.value(forKeyPath: "@min.n") == 1)
        #expect(try rows.value(forKeyPath: "@max.t") == "b")
        #expect(try rows.value(forKeyPath: "@unionOfObjects.n") == [1, 4, 4])
        #expect(try rows.value(forKeyPath: "@distinctUnionOfObjects.t") == ["a", "b"])
    }

    @Test func emptyCollectionsHaveASumButNoAverageOrExtremes() throws {
        for empty in [GraphValue.array([]), .set([])] {
            #expect(try empty.value(forKeyPath: "@count") == 0)
            #expect(try empty.value(forKeyPath: "@sum.n") == 0)
            #expect(try empty.value(forKeyPath: "@avg.n") == .null)
            #expect(try empty.value(forKeyPath: "@min.n") == .null)
            #expect(try empty.value(forKeyPath: "@max.n") == .null)
        }
        #expect(try GraphValue.null.value(forKeyPath: "@count") == .null)
    }

    @Test func exactNumbersAreCalculatedExactly() throws {
        let tenth = try #require(Decimal(string: "0.1"))
        let tenths = GraphValue.array(Array(repeating: ["n": .decimal(tenth)], count: 10))
        #expect(try tenths.value(forKeyPath: "@sum.n") == 1)
        let large = GraphValue.array([["n": .int(.max)], ["n": .int(.max)]])
        #expect(
            try large.value(forKeyPath: "@sum.n")
                == .decimal(Decimal(Int64.max) + Decimal(Int64.max))
        )
        let mean = try GraphValue.array([["n": 1], ["n": 2]]).value(forKeyPath: "@avg.n")
        #expect(mean == 1.5)
        #expect(mean.kindName == GraphValue.decimal(0).kindName)
        #expect(try GraphValue.array([["n": 1], ["n": 0.5]]).value(forKeyPath: "@sum.n") == 1.5)
    }

    @Test func numbersAsTextCountAndOtherTextIsNotANumber() throws {
        #expect(try GraphValue.array(["2", 3]).value(forKeyPath: "@sum.self") == 5)
        let sum = try GraphValue.array(["2x"]).value(forKeyPath: "@sum.self")
        #expect(sum.doubleValue?.isNaN == true)
        #expect(code("@avg.self", of: ["2x"]) == .cannotEvaluate)
        #expect(code("@sum.self", of: [.date(Date())]) == .wrongValueKind)
    }

    @Test func operatorsNeedAKeyPathAndACollection() {
        for name in ["@sum", "@avg", "@min", "@max", "@unionOfObjects", "@distinctUnionOfArrays"] {
            #expect(code(name, of: rows) == .undefinedKey)
        }
        #expect(code("@foo.n", of: rows) == .undefinedKey)
        #expect(code("n@count", of: []) == .undefinedKey)
        #expect(code("@count", of: "text") == .undefinedKey)
    }

    @Test func unionsWantTheRightKindOfMembers() throws {
        let arrays: GraphValue = [["a", "b"], ["b"]]
        let sets = GraphValue.array([.set(["a", "b"]), .set(["b"])])
        #expect(try arrays.value(forKeyPath: "@unionOfArrays.self") == ["a", "b", "b"])
        #expect(try arrays.value(forKeyPath: "@distinctUnionOfArrays.self") == ["a", "b"])
        let union = try sets.value(forKeyPath: "@distinctUnionOfSets.self")
        #expect(union.elements?.count == 2 && Set(union.elements ?? []) == ["a", "b"])
        #expect(code("@unionOfArrays.self", of: sets) == .wrongValueKind)
        #expect(code("@distinctUnionOfSets.self", of: arrays) == .wrongValueKind)
    }

    @Test func operatorsChain() throws {
        let groups: GraphValue = [["rows": [["n": 1], ["n": 3]]], ["rows": [["n": 10]]]]
        #expect(try groups.value(forKeyPath: "@sum.rows.@avg.n") == 12)
        #expect(try groups.value(forKeyPath: "@max.rows.@count") == 2)
        #expect(try groups.value(forKeyPath: "@count.anything.else") == 2)
    }

    @Test func setsDropDuplicatesWhenMappedButNotWhenSummed() throws {
        let set = GraphValue.set([["n": 1, "t": "a"], ["n": 1, "t": "b"]])
        #expect(try set.value(forKeyPath: "n") == .set([1]))
        #expect(try set.value(forKeyPath: "@sum.n") == 2)
        #expect(try set.value(forKeyPath: "@distinctUnionOfObjects.n") == .set([1]))
    }
}
