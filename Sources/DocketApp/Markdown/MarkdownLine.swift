import TerminalUI

/// A line of laid out text: runs with roles, not yet styles, so that a theme can change.
struct RichLine: Hashable, Sendable {
    struct Run: Hashable, Sendable {
        var text: String
        var role: Role
        var attributes: Attributes = []
    }

    var runs: [Run] = []

    static func plain(_ text: String, _ role: Role = .text) -> RichLine {
        RichLine(runs: [Run(text: text, role: role)])
    }

    func textRuns(_ look: Look) -> [TextRun] {
        runs.map { TextRun($0.text, look[$0.role].with($0.attributes)) }
    }
}
