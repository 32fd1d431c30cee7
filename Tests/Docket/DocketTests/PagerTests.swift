import Foundation
import Testing
import VirtualTerminal

@Suite("Output by the pager of the user")
struct PagerTests {
    private let docket: Docket

    init() throws { docket = try Docket() }

    /// The screen after some commands in a shell on a terminal of 24 rows.
    private func screen(pager: String, _ script: String) throws -> [String] {
        var environment = docket.environment
        environment["PAGER"] = pager
        environment["docket"] = Docket.program
        let terminal = try VirtualTerminal(
            "/bin/sh",
            arguments: ["-c", "\(script); echo END $?"],
            environment: environment
        )
        try terminal.wait(for: "the end") { terminal.screen.contains { $0.hasPrefix("END") } }
        return terminal.screen
    }

    @Test func moreThanAScreenGoesThroughIt() throws {
        let lines = try screen(pager: "sed 's/^/> /' | tail -n 3", "$docket help search")
        #expect(lines.count { $0.hasPrefix(">") } == 3 && lines.contains("END 0"), "\(lines)")
    }

    @Test func lessThanAScreenAndAPipeDoNot() throws {
        try docket("add", "milk")
        let lines = try screen(
            pager: "sed 's/^/> /'",
            "$docket list; $docket help search | tail -n 2"
        )
        #expect(!lines.contains { $0.hasPrefix(">") }, "\(lines)")
        #expect(lines.contains { $0.contains("milk") })
    }

    @Test(arguments: ["true", "no-such-pager"])
    func aPagerThatReadsNothingIsNoError(pager: String) throws {
        let lines = try screen(pager: pager, "$docket help search")
        #expect(lines.contains("END 0"), "\(lines)")
    }
}
