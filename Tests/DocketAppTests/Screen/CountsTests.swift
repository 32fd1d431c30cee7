import DocketCore
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// The counts that are kept by watching are those that counting anew gives.
@Suite struct CountsTests {
    @Test(arguments: SeededRandom.seeds(6))
    func watchedCountsEqualCountedOnes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot()
        let keys = [
            "space", "space", "d", "u", "u", "ctrl+r", "p", "3", "f", "J", "K", "v", "j", "k", "j",
            "g a", "g i", "g d", "g x", "r", ".", ">", "<", "V",
        ]
        for step in 0..<40 {
            let key = keys.randomElement(using: &random) ?? "j"
            if step % 9 == 4 {
                let date =
                    ["yesterday", "today 23:00", "fri", "in 3 weeks", ""]
                    .randomElement(using: &random) ?? ""
                try robot.press("D ctrl+u")
                robot.type(date)
                try robot.press("enter")
                try robot.press("esc")
            }
            if step % 9 == 7 {
                try robot.press("a")
                robot.type("new #tag\(random.below(9)) #home +List\(random.below(5))")
                try robot.press("enter")
            }
            try robot.press(key)
            let watched = robot.workspace.counts.counts
            let counted = try CountTally(in: robot.library.context, robot.library.clock()).counts
            #expect(watched == counted, "seed \(seed), step \(step), key \(key)")
            if watched != counted { return }
        }
    }

    @Test func countsStandBesideTheLists() throws {
        let robot = try Robot()
        #expect(robot.count(.smart(.overdue)) == 1)
        #expect(robot.count(.smart(.dueSoon)) == 2)
        #expect(robot.count(.smart(.highPriority)) == 1)
        #expect(robot.count(.smart(.all)) == 7)
        #expect(robot.count(.smart(.inbox)) == 1)
    }

    @Test func newListsAndTagsAreCountedAtOnce() throws {
        let robot = try Robot()
        try robot.press("a")
        robot.type("Practice +Music #piano")
        try robot.press("enter")
        let list = try #require(try robot.library.existingList(path: ["Music"]))
        let tag = try robot.library.tag("piano")
        #expect(robot.count(.list(list.objectID)) == 1)
        #expect(robot.count(.tag(tag.objectID)) == 1)
        try robot.press("space")
        #expect(robot.count(.list(list.objectID)) == 0)
        #expect(robot.count(.tag(tag.objectID)) == 0)
    }
}
