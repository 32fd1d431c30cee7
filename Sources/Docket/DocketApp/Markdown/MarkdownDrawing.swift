import Markdown
import TerminalUI

/// Markdown as rows of text, without styles.
public enum MarkdownDrawing {
    /// The rows of a text in some columns.
    public static func rows(of text: String, columns: Int) -> [String] {
        let layout = MarkdownLayout(columns: columns, signs: .unicode, symbols: .unicode)
        let text = MarkdownSource(text)
        return (0..<text.count).flatMap { layout.rows(of: text.section($0)).map(\.line.text) }
    }
}
