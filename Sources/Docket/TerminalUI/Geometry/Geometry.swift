/// The position of a cell: row and column from the top left, from 0.
public struct Position: Hashable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }

    /// The position some rows and columns away.
    public func offset(rows: Int = 0, columns: Int = 0) -> Position {
        Position(row: row + rows, column: column + columns)
    }
}

/// Rows and columns, never negative.
public struct Size: Hashable, Sendable {
    public var rows: Int
    public var columns: Int

    /// A size; negative numbers become 0.
    public init(rows: Int, columns: Int) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }
}

/// A rectangle of cells: its first row and column, and its size.
public struct Rect: Hashable, Sendable {
    public var row: Int
    public var column: Int
    public var rows: Int
    public var columns: Int

    /// A rectangle; negative sizes become 0.
    public init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }

    /// The rectangle of a size at the top left.
    public init(_ size: Size) {
        self.init(row: 0, column: 0, rows: size.rows, columns: size.columns)
    }

    public var origin: Position { Position(row: row, column: column) }
    public var size: Size { Size(rows: rows, columns: columns) }
    /// The row after the last.
    public var endRow: Int { row + rows }
    /// The column after the last.
    public var endColumn: Int { column + columns }
    public var isEmpty: Bool { rows == 0 || columns == 0 }

    public func contains(_ position: Position) -> Bool {
        position.row >= row && position.row < endRow
            && position.column >= column && position.column < endColumn
    }

    /// The common part of two rectangles; empty if they do not overlap.
    public func intersection(_ other: Rect) -> Rect {
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
    public func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> Rect {
        Rect(
            row: row + top,
            column: column + left,
            rows: rows - top - bottom,
            columns: columns - left - right
        )
    }

    /// The rectangle made smaller on all sides.
    public func inset(_ amount: Int) -> Rect {
        inset(top: amount, left: amount, bottom: amount, right: amount)
    }

    /// A rectangle of a size in the middle of this one, made smaller to fit.
    public func centered(_ size: Size) -> Rect {
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
    public func local(_ position: Position) -> Position? {
        contains(position) ? position.offset(rows: -row, columns: -column) : nil
    }
}
