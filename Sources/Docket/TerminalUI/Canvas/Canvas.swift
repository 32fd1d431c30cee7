/// The next frame: rows of cells, drawn with plain values and without a terminal.
///
/// Drawing is clipped: nothing outside is changed and no coordinate traps. Inside ``draw(in:_:)``
/// the canvas *is* a region: it has the region's size, coordinates and clipping. So a pane draws in
/// the same way on the whole screen and in a part of it.
///
/// Invariant: a wide cell is followed by its right half in the same row, and a right half follows a
/// wide cell. Overwriting one half blanks the other, also outside a region's edges.
public struct Canvas: Sendable {
    /// The whole canvas's size.
    let whole: Size
    var cells: [Cell]
    /// The current region, in the coordinates of the whole canvas; it may extend beyond it.
    var region: Rect
    /// The part of the whole canvas that may be changed.
    var clip: Rect
    var absoluteCursor: Position?
    /// The pictures of ``pictureRows`` by their IDs.
    public internal(set) var pictures: [UInt32: Picture] = [:]
    /// The characters for frames and cut texts.
    public var symbols: Symbols

    /// A blank canvas.
    public init(size: Size, symbols: Symbols = .unicode) {
        whole = size
        cells = Array(repeating: Cell(), count: size.rows * size.columns)
        region = Rect(size)
        clip = region
        self.symbols = symbols
    }

    /// The region's size: all of the canvas, or inside ``draw(in:_:)`` that rectangle.
    public var size: Size { region.size }
    public var rows: Int { region.rows }
    public var columns: Int { region.columns }
    /// The region in its own coordinates.
    public var bounds: Rect { Rect(size) }

    /// The cursor's place in the region's coordinates, or nil to hide it.
    ///
    /// Put it on the selected row or the edited character, because screen readers follow it.
    public var cursor: Position? {
        get { absoluteCursor?.offset(rows: -region.row, columns: -region.column) }
        set {
            let place = newValue?.offset(rows: region.row, columns: region.column)
            absoluteCursor = place.flatMap { clip.contains($0) ? $0 : nil }
        }
    }

    /// Draws in a rectangle as if it were a separate canvas.
    @discardableResult
    public mutating func draw<Result>(
        in rect: Rect,
        _ body: (inout Canvas) throws -> Result
    ) rethrows -> Result {
        let outerRegion = region
        let outerClip = clip
        region = Rect(
            row: rect.row + region.row,
            column: rect.column + region.column,
            rows: rect.rows,
            columns: rect.columns
        )
        clip = clip.intersection(region)
        defer {
            region = outerRegion
            clip = outerClip
        }
        return try body(&self)
    }
}
