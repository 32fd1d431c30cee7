import Markdown
import TerminalUI

/// A row of a text in Markdown, and where it comes from.
struct MarkdownRow {
    var line: RichLine
    /// The line of the text, from 0.
    var source: Int
    /// The box that the row begins with, or whose item it continues.
    var task: MarkdownTask?
    var isHeading = false
    /// How many runs are before the text: signs of items and quotes.
    var leadRuns = 0
    /// The picture of which it shows a row, and which one.
    var picture: (picture: Picture, row: Int)?
}
