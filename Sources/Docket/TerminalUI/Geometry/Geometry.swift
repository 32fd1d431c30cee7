/// The position of a cell: row and column from the top left, from 0.
package struct Position: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }

    /// The position some rows and columns away.
    package func offset(rows: Int = 0, columns: Int = 0) -> Position {
        Position(row: row + rows, column: column + columns)
    }
}

/// Rows and columns, never negative.
package struct Size: Hashable, Sendable {
    package var rows: Int
    package var columns: Int

    /// A size; negative numbers become 0.
    package init(rows: Int, columns: Int) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }
}

/// A rectangle of cells: its first row and column, and its size.
package struct Rect: Hashable, Sendable {
    package var row: Int
    package var column: Int
    package var rows: Int
    package var columns: Int

    /// A rectangle; negative sizes become 0.
    package init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }

    /// The rectangle of a size at the top left.
    package init(_ size: Size) {
        self.init(row: 0, column: 0, rows: size.rows, columns: size.columns)
    }

    package var origin: Position { Position(row: row, column: column) }
    package var size: Size { Size(rows: rows, columns: columns) }
    /// The row after the last.
    package var endRow: Int { row + rows }
    /// The column after the last.
    package var endColumn: Int { column + columns }
    package var isEmpty: Bool { rows == 0 || columns == 0 }

    package func contains(_ position: Position) -> Bool {
        position.row >= row && position.row < endRow
            && position.column >= column && position.column < endColumn
    }

    /// The common part of two rectangles; empty if they do not overlap.
    package func intersection(_ other: Rect) -> Rect {
        let top = max(row, other.row)
        let left = max(column, other.column)
        return Rect(
            row: top,
            column: left,
            rows: min(endRow, other.endRow) - top,
            columns: min(endColumn, other.endColumn) - left
        )
    }

    /// The rectangle made smaller on each side; empty if nothing is left.
    package func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> Rect {
        Rect(
            row: row + top,
            column: column + left,
            rows: rows - top - bottom,
            columns: columns - left - right
        )
    }

    /// The rectangle made smaller on all sides.
    package func inset(_ amount: Int) -> Rect {
        inset(top: amount, left: amount, bottom: amount, right: amount)
    }

    /// A rectangle of a size in the middle of this one, made smaller to fit.
    package func centered(_ size: Size) -> Rect {
        let height = min(size.rows, rows)
        let width = min(size.columns, columns)
        return Rect(
            row: row + (rows - height) / 2,
            column: column + (columns - width) / 2,
            rows: height,
            columns: width
        )
    }

    /// A position in this rectangle's own coordinates, or nil if it is outside.
    package func local(_ position: Position) -> Position? {
        contains(position) ? position.offset(rows: -row, columns: -column) : nil
    }
}
