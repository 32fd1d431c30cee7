import CivilTime
import DocketCore
import Foundation
import LibraryVerbs
import Testing
import VirtualTerminal

/// What the program sends to the terminal: what changed, and no more.
@Suite struct FrameTests {
    private func store() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-frames-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("docket.sqlite")
        let library = try Library(url: url, author: "test") { DateContext(now: Date(), zone: .utc) }
        for number in 1...30 {
            _ = try library.addTask(
                capturing: "Call number \(number) about the appointment tomorrow 9:00 #phone +Home"
            )
        }
        library.close()
        return url
    }

    /// The bytes that one `j` sends, for some rows within the screen, then one `k` for each back.
    private func bytes(of presses: Int, environment: [String: String]) throws -> [Int] {
        let url = try store()
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        var variables = ["DOCKET_STORE": url.path, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
        variables.merge(environment) { $1 }
        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            environment: variables,
            rows: 36,
            columns: 120
        )
        try terminal.wait(forText: "Call number 30")
        // The counts come a moment later.
        try terminal.wait(for: "the counts") {
            terminal.screen.contains { $0.contains("30 open") }
        }
        var sizes: [Int] = []
        for press in 1...presses {
            let before = terminal.output.count
            try terminal.type("j")
            try terminal.wait(for: "the next row") {
                terminal.screen.contains { $0.hasSuffix("no. \(press + 1)") }
            }
            sizes.append(terminal.output.count - before)
        }
        for press in (1...presses).reversed() {
            let before = terminal.output.count
            try terminal.type("k")
            try terminal.wait(for: "the row before") {
                terminal.screen.contains { $0.hasSuffix("no. \(press)") }
            }
            sizes.append(terminal.output.count - before)
            // The real cursor stands on the selected row.
            let cursor = try #require(terminal.cursor)
            #expect(terminal.row(cursor.row).contains("Call number \(press) "))
        }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        return sizes
    }

    @Test(arguments: [
        ["COLORFGBG": "15;0"], ["COLORFGBG": "0;15"], ["TERM": "xterm"], ["NO_COLOR": "1"],
    ])
    func oneRowDownOrUpSendsAtMostFiveHundredBytes(environment: [String: String]) throws {
        let sizes = try bytes(of: 8, environment: environment)
        #expect(sizes.allSatisfy { $0 <= 500 }, "\(sizes)")
    }
}
