import CTerminal
import Glibc
public import TerminalUI

extension Terminal {
    /// Sends the rows that differ from the last frame to ncurses, which sends the changed cells in
    /// one write.
    /// - Complexity: O(cells) to compare, O(changed rows) to draw.
    public func present(_ canvas: Canvas) {
        guard isDrawing else { return }
        let update = ScreenUpdate(from: shown, to: canvas)
        let screen = cterminal_screen()
        if update.isComplete {
            werase(screen)
            clearok(screen, true)
        }
        for row in update.changedRows where row < size.rows { send(canvas, row: row) }
        let pictures = pictureBytes(canvas, update)
        cterminal_frame_begin()
        place(canvas.cursor)
        wrefresh(screen)
        cterminal_frame_add(pictures, pictures.count)
        cterminal_frame_end(options.synchronizesFrames)
        shown = canvas
        turnReports(on: true)
    }

    public func redraw() { shown = nil }

    private func place(_ cursor: Position?) {
        if let cursor, cursor.row < size.rows, cursor.column < size.columns {
            wmove(cterminal_screen(), Int32(cursor.row), Int32(cursor.column))
        }
        let isVisible = cursor != nil
        guard isVisible != cursorIsVisible else { return }
        cursorIsVisible = isVisible
        curs_set(isVisible ? 1 : 0)
    }

    /// Gives a row to ncurses.
    ///
    /// The loop uses locals and unsafe buffers only: properties of a class would cost a check of
    /// exclusive access for each cell.
    private func send(_ canvas: Canvas, row: Int) {
        let columns = size.columns
        var pairs = self.pairs
        // Neighbours mostly have the same style: it is converted once.
        var last = Cell()
        var attributes: attr_t = 0
        var pair: Int32 = 0
        canvas.withRow(row) { cells in
            withUnsafeTemporaryAllocation(of: cchar_t.self, capacity: columns + 1) { buffer in
                var count = 0
                var column = 0
                for cell in cells where cell.width > 0 {
                    // A wide cell that the screen's edge would cut becomes a blank.
                    let fits = column + Int(cell.width) <= columns
                    guard fits || column < columns else { break }
                    if !cell.hasStyle(of: last) {
                        let style = cell.style
                        attributes = attr_t(Terminal.attributes(style.attributes))
                        pair = pairs.number(
                            foreground: style.foreground,
                            background: style.background
                        )
                        last = cell
                    }
                    var character = cchar_t()
                    character.attr = attributes
                    character.ext_color = pair
                    character.chars =
                        fits && cell.picture == nil
                        ? (
                            wchar_t(bitPattern: cell.base), wchar_t(bitPattern: cell.mark1),
                            wchar_t(bitPattern: cell.mark2), wchar_t(bitPattern: cell.mark3),
                            wchar_t(bitPattern: cell.mark4)
                        ) : (0x20, 0, 0, 0, 0)
                    buffer.initializeElement(at: count, to: character)
                    count += 1
                    column += Int(cell.width)
                }
                if let start = buffer.baseAddress {
                    cterminal_put_row(Int32(row), start, Int32(count))
                }
            }
        }
        self.pairs = pairs
    }

    private static func attributes(_ attributes: Attributes) -> UInt32 {
        if attributes.isEmpty { return 0 }
        var bits: UInt32 = 0
        if attributes.contains(.bold) { bits |= CTERMINAL_BOLD }
        // ncurses has no strikethrough; dim also shows that something is finished.
        if attributes.contains(.dim) || attributes.contains(.strike) { bits |= CTERMINAL_DIM }
        if attributes.contains(.italic) { bits |= CTERMINAL_ITALIC }
        if attributes.contains(.underline) { bits |= CTERMINAL_UNDERLINE }
        if attributes.contains(.reverse) { bits |= CTERMINAL_REVERSE }
        return bits
    }
}
