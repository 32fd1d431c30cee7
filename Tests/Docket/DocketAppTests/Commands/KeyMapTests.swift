import CivilTime
import DocketCore
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct KeyMapTests {
    private func command(_ map: KeyMap, _ keys: String) throws -> String? {
        if case .command(let id) = map.meaning(of: try Key.sequence(keys), in: .main) { return id }
        return nil
    }

    private func map(_ config: String) throws -> KeyMap {
        var settings = Settings()
        settings.read(config, name: "config.toml")
        #expect(settings.problems == [])
        return try settings.keyMap()
    }

    @Test func aKeyGivenToAnotherCommandLeavesTheFirst() throws {
        let map = try map("[keys]\n\"item.done\" = [\"x\", \"j\"]")
        #expect(try command(map, "x") == "item.done")
        #expect(try command(map, "j") == "item.done")
        #expect(try command(map, "space") == nil)
        #expect(try command(map, "down") == "move.down")
        #expect(map.keys(of: "move.down") == [[.down]])
    }

    @Test func aKeyInPlaceOfAPrefixTakesItsSequencesAway() throws {
        let map = try map("[keys]\n\"item.done\" = \"g\"")
        #expect(try command(map, "g") == "item.done")
        #expect(try command(map, "g t") == nil)
        #expect(map.keys(of: "go.today") == [])
        #expect(map.keys(of: "move.first") == [[.home]])
    }

    @Test func aSequenceBehindAKeyTakesTheKeyAway() throws {
        let map = try map("[keys]\n\"item.done\" = \"q q\"")
        #expect(try command(map, "q q") == "item.done")
        #expect(try command(map, "ctrl+c") == "app.quit")
        #expect(map.keys(of: "app.quit") == [[.ctrl("c")]])
    }

    @Test func anEmptyListTakesAllKeysAway() throws {
        let map = try map("[keys]\n\"app.suspend\" = []")
        #expect(try command(map, "ctrl+z") == nil)
    }

    @Test func aPrefixShowsWhatCanFollow() throws {
        let robot = try Robot()
        try robot.press("g")
        #expect(robot.shows("Go to Today"))
        #expect(robot.shows("First row"))
        try robot.press("esc")
        #expect(!robot.shows("Go to Today"))
        #expect(robot.workspace.items.scope == .smart(.all))
        try robot.press("g i")
        #expect(robot.workspace.items.scope == .smart(.inbox))
        #expect(robot.titles == ["Read a book"])
    }

    @Test func anUnknownKeySaysSo() throws {
        let robot = try Robot()
        try robot.press("ctrl+w")
        #expect(robot.footer.contains("^W does nothing here; ? lists the keys."))
    }

    @Test func rebindingShowsInFooterAndHelp() throws {
        let robot = try Robot(config: "[keys]\n\"item.add\" = \"ctrl+a\"")
        #expect(robot.footer.contains("^A add"))
    }
}
