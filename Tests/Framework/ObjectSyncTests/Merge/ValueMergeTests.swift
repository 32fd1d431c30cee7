import Foundation
import ObjectSync
import SeededRandom
import Testing

@Suite("Three-way merge of a value")
struct ValueMergeTests {
    private static let early = Date(timeIntervalSinceReferenceDate: 100)
    private static let late = Date(timeIntervalSinceReferenceDate: 200)

    private func merge(
        _ base: SyncValue,
        _ ours: SyncValue,
        _ theirs: SyncValue,
        _ rule: MergeRule = .value,
        oursIsLater: Bool = false
    ) -> ValueMerge {
        ValueMerge(
            base: base,
            ours: StampedValue(ours, oursIsLater ? Self.late : Self.early),
            theirs: StampedValue(theirs, oursIsLater ? Self.early : Self.late),
            rule: rule
        )
    }

    private func refs(_ names: String...) -> Set<SyncValue> { Set(names.map { .reference($0) }) }

    @Test func changeOfOneSideIsTakenWhateverItsTime() {
        for isLater in [false, true] {
            let ours = merge(.int(1), .int(2), .int(1), oursIsLater: isLater)
            #expect(ours.merged.value == .int(2) && ours.loser == nil)
            let theirs = merge(.int(1), .int(1), .int(3), oursIsLater: isLater)
            #expect(theirs.merged.value == .int(3) && theirs.loser == nil)
        }
    }

    @Test func laterChangeWinsAndTheOtherIsKept() {
        let theirs = merge(.int(1), .int(2), .int(3))
        #expect(theirs.merged == StampedValue(.int(3), Self.late))
        #expect(theirs.loser == StampedValue(.int(2), Self.early) && theirs.isLoserOurs)
        let ours = merge(.int(1), .int(2), .int(3), oursIsLater: true)
        #expect(ours.merged.value == .int(2) && ours.loser?.value == .int(3) && !ours.isLoserOurs)
    }

    @Test func equalChangesAreNoConflict() {
        let merge = merge(.null, .string("a"), .string("a"))
        #expect(merge.merged == StampedValue(.string("a"), Self.late) && merge.loser == nil)
    }

    @Test func changesAtTheSameTimeHaveTheSameWinnerOnBothSides() {
        let one = StampedValue(.string("a"), Self.late)
        let two = StampedValue(.string("b"), Self.late)
        let here = ValueMerge(base: .null, ours: one, theirs: two, rule: .value)
        let there = ValueMerge(base: .null, ours: two, theirs: one, rule: .value)
        #expect(here.merged == there.merged && here.loser == there.loser)
    }

    @Test func removalOfAValueIsAChange() {
        let merge = merge(.string("a"), .null, .string("b"), oursIsLater: true)
        #expect(merge.merged.value == .null && merge.loser?.value == .string("b"))
    }

    @Test func setsTakeWhatEachSideAddsAndRemoves() {
        let merge = merge(
            .set(refs("a", "b", "c")),
            .set(refs("b", "c", "mine")),
            .set(refs("a", "c", "theirs")),
            .set
        )
        #expect(merge.merged.value == .set(refs("c", "mine", "theirs")) && merge.loser == nil)
    }

    @Test func elementThatOneSideRemovesIsGone() {
        let merge = merge(.set(refs("a")), .set([]), .set(refs("a", "b")), .set)
        #expect(merge.merged.value == .set(refs("b")))
    }

    private func list(_ names: String) -> SyncValue {
        .list(names.map { .reference(String($0)) })
    }

    @Test func listKeepsTheOrderThatOneSideHasMadeAndTheOthersAdditions() {
        #expect(merge(list("abc"), list("cab"), list("abxc"), .list).merged.value == list("cabx"))
        #expect(merge(list("abc"), list("abxc"), list("cab"), .list).merged.value == list("cabx"))
    }

    @Test func listOfTwoOrdersIsInTheLaterOne() {
        #expect(merge(list("abc"), list("bac"), list("cba"), .list).merged.value == list("cba"))
    }

    @Test func additionsOfBothSidesAreInTheListOnce() {
        let merged = merge(list("ab"), list("xab"), list("abxy"), .list).merged.value
        #expect(merged.elements.count == 4 && Set(merged.elements).count == 4)
    }

    // MARK: Texts

    private func text(_ base: String, _ ours: String, _ theirs: String) -> ValueMerge {
        func lines(_ words: String) -> SyncValue {
            .string(words.split(separator: " ").joined(separator: "\n"))
        }
        return merge(lines(base), lines(ours), lines(theirs), .text)
    }

    private func words(_ value: StampedValue?) -> String? {
        guard case .string(let text) = value?.value else { return nil }
        return text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
    }

    @Test func changesOfDifferentLinesAreBothKept() {
        let merge = text("a b c d", "A b c d", "a b c D")
        #expect(words(merge.merged) == "A b c D" && merge.loser == nil)
    }

    @Test func changesOfTheSameLineAreTheLatersAndTheLoserHasTheRest() {
        let merge = text("a b c d e", "mine b c d e", "theirs b c d E")
        #expect(words(merge.merged) == "theirs b c d E")
        #expect(words(merge.loser) == "mine b c d E" && merge.isLoserOurs)
    }

    @Test func insertionsAtTheSamePlaceAreBothKept() {
        let merge = text("a b", "a b mine", "a b theirs")
        #expect(words(merge.merged) == "a b mine theirs" && merge.loser == nil)
    }

    @Test func lineThatBothSidesInsertIsThereOnce() {
        #expect(words(text("a", "a x", "a x y").merged) == "a x y")
        #expect(words(text("", "x", "x y").merged) == "x y")
    }

    @Test func lineThatBothSidesInsertInDifferentPlacesIsNotDoubled() {
        let merge = text("a b c", "x a b c", "a b x c")
        #expect(words(merge.merged) == "a b x c" && words(merge.loser) == "x a b c")
    }

    @Test func removalOfALineAgainstItsChangeIsAConflict() {
        let merge = text("a b c", "a c", "a B c")
        #expect(words(merge.merged) == "a B c" && words(merge.loser) == "a c")
    }

    @Test func textThatWasEmptyIsMerged() {
        let merge = merge(.null, .string("mine"), .string("theirs"), .text)
        #expect(words(merge.merged) == "mine theirs" && merge.loser == nil)
    }

    @Test func mergeOfRandomTextsIsTheSameOnBothSidesAndLosesNoLine() {
        var random = SeededRandom()
        for round in 0..<300 {
            let base = (0..<random.below(8)).map { "b\($0)" }
            func edited(_ mark: String) -> [String] {
                var lines = base
                for step in 0..<random.below(4) {
                    let place = random.below(lines.count + 1)
                    switch random.below(3) {
                    case 0 where place < lines.count: lines[place] = "\(mark)\(round)-\(step)"
                    case 1 where place < lines.count: lines.remove(at: place)
                    default: lines.insert("\(mark)\(round)-\(step)", at: place)
                    }
                }
                return lines
            }
            let (first, second) = (edited("x"), edited("y"))
            func value(_ lines: [String]) -> SyncValue { .string(lines.joined(separator: "\n")) }
            let one = StampedValue(value(first), Self.early)
            let two = StampedValue(value(second), random.chance(4) ? Self.early : Self.late)
            let here = ValueMerge(base: value(base), ours: one, theirs: two, rule: .text)
            let there = ValueMerge(base: value(base), ours: two, theirs: one, rule: .text)
            #expect(here.merged == there.merged && here.loser == there.loser)
            var kept: Set<Substring> = []
            for case .string(let text)? in [here.merged.value, here.loser?.value] {
                kept.formUnion(text.split(separator: "\n"))
            }
            let new = Set((first + second).map { $0[...] }).subtracting(base.map { $0[...] })
            #expect(new.isSubset(of: kept), "\(base) \(first) \(second)")
        }
    }

    @Test func longTextsAreMergedAtTheirEnds() {
        let base = (0..<5_000).map { "line \($0)" }
        let ours = ["mine"] + base
        let theirs = base.map { $0 == "line 4999" ? "theirs" : $0 }
        func value(_ lines: [String]) -> SyncValue { .string(lines.joined(separator: "\n")) }
        let merged = merge(value(base), value(ours), value(theirs), .text)
        #expect(merged.merged.value == value(["mine"] + theirs) && merged.loser == nil)
    }
}
