/// A picture that covers some rows and columns.
public struct Picture: Sendable {
    public enum Content: Sendable {
        /// The colours of the upper and the lower half of each cell, row by row.
        case halves([Color])
        /// A file in PNG for the graphics protocol of kitty, whose rows have `rowPixels` pixels.
        case png([UInt8], rowPixels: Int)
        /// Each row in the sixel format, without introducer and terminator.
        case sixels([[UInt8]])
    }

    /// Different for pictures on one screen.
    public let id: UInt32
    public let size: Size
    public let content: Content

    public init(id: UInt32, size: Size, content: Content) {
        self.id = id
        self.size = size
        self.content = content
    }
}

extension Canvas {
    /// Puts a row of a picture at a position.
    ///
    /// Cells of a picture that the terminal draws itself are blank and know where they belong: what is
    /// drawn over them hides that row of the picture.
    public mutating func put(_ picture: Picture, row: Int, at position: Position) {
        let columns = picture.size.columns
        let area = Rect(row: position.row, column: position.column, rows: 1, columns: columns)
        if case .halves(let colors) = picture.content {
            let start = 2 * row * columns
            for column in 0..<columns where colors.indices.contains(start + 2 * column + 1) {
                let (upper, lower) = (colors[start + 2 * column], colors[start + 2 * column + 1])
                fill(
                    Rect(row: area.row, column: area.column + column, rows: 1, columns: 1),
                    with: "▀",
                    style: Style(foreground: upper, background: lower)
                )
            }
            return
        }
        fill(area)
        let target = absolute(area)
        guard target.columns == columns else { return }
        pictures[picture.id] = picture
        for column in 0..<columns {
            let place = target.row * whole.columns + target.column + column
            cells[place].mark(picture.id, row: row, column: column)
        }
    }

    /// The rows of pictures that are whole on the canvas, from top to bottom.
    public var pictureRows: [PictureRow] {
        if pictures.isEmpty { return [] }
        var found: [PictureRow] = []
        for row in 0..<whole.rows {
            let line = cells[row * whole.columns..<(row + 1) * whole.columns]
            var place = line.startIndex
            while place < line.endIndex {
                guard let first = line[place].picture, first.column == 0,
                    let columns = pictures[first.id]?.size.columns,
                    place + columns <= line.endIndex,
                    (0..<columns).allSatisfy({
                        (line[place + $0].picture ?? (0, 0, -1))
                            == (first.id, first.row, $0)
                    })
                else {
                    place += 1
                    continue
                }
                let position = Position(row: row, column: place - line.startIndex)
                found.append(PictureRow(id: first.id, row: first.row, position: position))
                place += columns
            }
        }
        return found
    }
}

/// A row of a picture on a canvas.
public struct PictureRow: Hashable, Sendable {
    public let id: UInt32
    /// Which row of the picture it is, from 0.
    public let row: Int
    public let position: Position
}

extension Cell {
    /// Marks from here on are no scalars: they have an ID and the place in a picture.
    private static let firstNumber: UInt32 = 0x110000

    fileprivate mutating func mark(_ id: UInt32, row: Int, column: Int) {
        (mark2, mark3) = (Self.firstNumber + UInt32(row), Self.firstNumber + UInt32(column))
        mark4 = Self.firstNumber + id
    }

    /// The picture that the terminal draws in the cell, and which part of it.
    public var picture: (id: UInt32, row: Int, column: Int)? {
        guard mark4 >= Self.firstNumber else { return nil }
        let first = Self.firstNumber
        return (mark4 - first, Int(mark2 - first), Int(mark3 - first))
    }
}
