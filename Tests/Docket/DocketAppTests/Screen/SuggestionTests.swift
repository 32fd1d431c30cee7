import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import ObjectGraph
import ScreenReading
import TerminalUI
import Testing

@testable import DocketApp

/// The menu of what completes the word that is being typed.
@Suite struct SuggestionTests {
    private static let sample = Sample("suggestions") { library in
        for line in [
            "One +Home #bank @Bank", "Two +Home #bank", "Three +Household #budget",
            "Four +\"Big garden\" #日本語",
        ] {
            _ = try library.addTask(capturing: line)
        }
    }

    private func robot() throws -> Robot { try Robot(rows: 30, sample: Self.sample) }

    private func text(_ robot: Robot) -> String {
        (robot.workspace.modal as? InputBar)?.field.text ?? ""
    }

    private func menu(_ robot: Robot) -> [String] {
        guard let menu = (robot.workspace.modal as? InputBar)?.menu, menu.isOpen else { return [] }
        return menu.rows.map(\.text)
    }

    @Test func theLineShowsWhatTabTakes() throws {
        let robot = try Robot { library in
            for name in ["Home", "Ho"] { _ = try library.addList(path: [name]) }
        }
        try robot.press("a")
        robot.type("Three +H")
        #expect(robot.shows("+Home  +Ho"))
        robot.type("o")
        #expect(!robot.shows("+Home"), "\(robot.text)")
        try robot.press("tab")
        let form = try #require(robot.workspace.modal as? Form)
        #expect(form.fields[1].text == "Ho")
    }

    @Test func tabTakesTheMostUsedOne() throws {
        let robot = try robot()
        try robot.press("a")
        robot.type("Pay #b")
        #expect(menu(robot) == ["#bank", "#budget"] && robot.shows("2 open"))
        try robot.press("tab")
        #expect(text(robot) == "Pay #bank " && menu(robot).isEmpty)
        robot.type("+ho")
        try robot.press("down down enter")
        #expect(text(robot) == "Pay #bank +Household ")
        try robot.press("enter a")
        robot.type("Dig +big")
        try robot.press("tab enter")
        #expect(try robot.task("Dig").list?.name == "Big garden")
    }

    @Test func escapeClosesTheMenuAloneAndEnterAddsAsBefore() throws {
        let robot = try robot()
        try robot.press("a")
        robot.type("Pay #b")
        try robot.press("esc")
        #expect(menu(robot).isEmpty && robot.workspace.modal is CaptureBar)
        robot.type("a")
        #expect(menu(robot).isEmpty)
        try robot.press("enter")
        #expect(try robot.task("Pay").tags.map(\.name) == ["ba"])
    }

    @Test func anArrowWithoutASelectionBelongsToTheLine() throws {
        let robot = try robot()
        try robot.press("a")
        robot.type("Pay tomorrow #b")
        try robot.press("up")
        #expect(text(robot).contains("\\"))
    }

    @Test func aNewListAndANewTagAreSaidBeforeEnter() throws {
        let robot = try robot()
        try robot.press("a")
        robot.type("Fly +Japan #travel #bank")
        #expect(robot.shows("new list Japan") && robot.shows("new tag #travel"))
        #expect(!robot.shows("new tag #bank"))
        #expect(menu(robot).isEmpty)
    }

    @Test func aSearchOffersValuesAndLeavesWordsAlone() throws {
        let robot = try robot()
        try robot.press("/")
        robot.type("d")
        #expect(menu(robot).isEmpty)
        try robot.press("backspace")
        robot.type("tag:b")
        #expect(menu(robot) == ["bank", "budget"])
        try robot.press("tab")
        #expect(text(robot) == "tag:bank " && Set(robot.titles) == ["One", "Two"])
    }

    @Test func barsOfferNamesAndDates() throws {
        let robot = try robot()
        try robot.select("One")
        try robot.press("t")
        robot.type("bu")
        #expect(menu(robot) == ["#budget"])
        try robot.press("tab enter")
        #expect(Set(try robot.task("One").tags.map(\.name)) == ["bank", "budget"])
        try robot.select("Two")
        try robot.press("@")
        robot.type("ba")
        try robot.press("down enter enter")
        #expect(try robot.task("Two").location?.name == "Bank")
        try robot.press("D")
        robot.type("tom")
        #expect(menu(robot) == ["tomorrow"] && robot.shows("Sun 22 Nov 2026"))
        try robot.press("tab enter")
        #expect(try robot.task("Two").due != nil)
    }

    @Test func aFormOffersNamesBelowTheField() throws {
        let robot = try robot()
        try robot.press("O")
        robot.type("Form task")
        try robot.press("tab")
        robot.type("ho")
        #expect(robot.shows("Home") && robot.shows("Household"))
        try robot.press("down down enter ctrl+s")
        #expect(try robot.task("Form task").list?.name == "Household")
    }

    @Test func escapeInAFormClosesTheMenuFirst() throws {
        let robot = try robot()
        try robot.press("O")
        robot.type("Form task")
        try robot.press("tab")
        robot.type("ho")
        try robot.press("esc")
        #expect(robot.workspace.modal is Form)
        try robot.press("esc")
        #expect(robot.workspace.modal == nil)
    }

    @Test func aNameOfAnotherWindowIsOffered() throws {
        let robot = try robot()
        robot.application.follow(robot.library)
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        _ = try other.addTask(capturing: "Far #zebra")
        robot.application.handle([.woken])
        robot.settle()
        try robot.press("a")
        robot.type("x #ze")
        #expect(menu(robot) == ["#zebra"])
    }

    @Test(arguments: [(1, 1), (2, 3), (4, 20), (8, 30), (24, 80)])
    func anOpenMenuFitsEveryTerminal(rows: Int, columns: Int) throws {
        let robot = try robot()
        try robot.press("a")
        robot.type("Pay #b")
        robot.resize(rows: rows, columns: columns)
        robot.terminal.frame.checkInvariants()
        for line in robot.screen { #expect(DisplayWidth.of(line) <= columns) }
    }
}
