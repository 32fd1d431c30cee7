import DocketCore
import ObjectGraph
import TerminalUI

/// A line of laid out text: runs with roles, not yet styles, so that a theme can change.
struct RichLine: Hashable, Sendable {
    /// What a double click on a text opens.
    enum Target: Hashable, Sendable {
        case item(ManagedObjectID)
        /// The item with this title.
        case title(String)
        /// An address or a path, for the program that the system has for it.
        case address(String)
        case scope(Scope)
    }

    struct Run: Hashable, Sendable {
        var text: String
        var role: Role
        var attributes: Attributes = []
        var target: Target?
    }

    var runs: [Run] = []

    static func plain(_ text: String, _ role: Role = .text) -> RichLine {
        RichLine(runs: [Run(text: text, role: role)])
    }

    /// The text without roles.
    var text: String { runs.map(\.text).joined() }

    /// What is at a column, from the beginning of the line.
    func target(at column: Int) -> Target? {
        var end = 0
        for run in runs {
            end += DisplayWidth.of(run.text)
            if column < end { return run.target }
        }
        return nil
    }

    func textRuns(_ look: Look) -> [TextRun] {
        runs.map { TextRun($0.text, look[$0.role].with($0.attributes)) }
    }
}
