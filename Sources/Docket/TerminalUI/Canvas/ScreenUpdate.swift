import Glibc

/// The changes that turn a screen with one canvas into a screen with another.
public struct ScreenUpdate: Equatable, Sendable {
    /// The rows that differ, from top to bottom.
    public let changedRows: [Int]
    /// Whether everything must be redrawn: there was no canvas before, or one of another size.
    public let isComplete: Bool

    /// Compares row by row.
    /// - Complexity: O(cells), one `memcmp` a row.
    public init(from previous: Canvas?, to next: Canvas) {
        guard let previous, previous.whole == next.whole else {
            changedRows = Array(0..<next.whole.rows)
            isComplete = true
            return
        }
        let columns = next.whole.columns
        var changed: [Int] = []
        previous.cells.withUnsafeBytes { old in
            next.cells.withUnsafeBytes { new in
                let length = columns * MemoryLayout<Cell>.stride
                guard length > 0, let old = old.baseAddress, let new = new.baseAddress else {
                    return
                }
                for row in 0..<next.whole.rows
                where memcmp(old + row * length, new + row * length, length) != 0 {
                    changed.append(row)
                }
            }
        }
        changedRows = changed
        isComplete = false
    }
}

extension Canvas {
    /// Passes the cells of a row of the whole canvas to a closure.
    public func withRow<Result>(
        _ row: Int,
        _ body: (UnsafeBufferPointer<Cell>) throws -> Result
    ) rethrows -> Result {
        try cells.withUnsafeBufferPointer { cells in
            try body(
                UnsafeBufferPointer(
                    rebasing: cells[row * whole.columns..<(row + 1) * whole.columns]
                )
            )
        }
    }
}
