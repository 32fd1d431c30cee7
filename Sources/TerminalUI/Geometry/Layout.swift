/// How much of a split one part gets.
package struct Share: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case fixed(Int)
        case weighted(Int, minimum: Int, maximum: Int)
    }

    let kind: Kind

    /// Exactly so many cells, while there is room.
    package static func fixed(_ cells: Int) -> Share { Share(kind: .fixed(max(0, cells))) }

    /// A part of what the fixed shares leave, by weight, at least and at most so many cells.
    package static func weighted(
        _ weight: Int = 1,
        minimum: Int = 0,
        maximum: Int = .max
    ) -> Share {
        Share(
            kind: .weighted(
                max(1, weight),
                minimum: max(0, minimum),
                maximum: max(minimum, maximum)
            )
        )
    }
}

/// Which way a rectangle is split.
package enum Axis: Sendable {
    /// Side by side.
    case columns
    /// One above the other.
    case rows
}

/// Division of a length or a rectangle among shares; pure functions.
package enum Layout {
    /// Lengths for the shares, which add up to `length` when a weighted share can take the rest.
    ///
    /// When the fixed lengths and minimums do not fit, earlier shares are served first.
    package static func lengths(_ length: Int, _ shares: [Share]) -> [Int] {
        var result = [Int](repeating: 0, count: shares.count)
        var left = max(0, length)
        for (place, share) in shares.enumerated() {
            let wanted =
                switch share.kind {
                case .fixed(let cells): cells
                case .weighted(_, let minimum, _): minimum
                }
            result[place] = min(left, wanted)
            left -= result[place]
        }
        distribute(left, among: shares, into: &result)
        return result
    }

    /// Deals out the rest so that each open share comes near its part of the whole by weight.
    private static func distribute(_ rest: Int, among shares: [Share], into result: inout [Int]) {
        var open: [(place: Int, weight: Int, maximum: Int)] = []
        for (place, share) in shares.enumerated() {
            if case .weighted(let weight, _, let maximum) = share.kind {
                open.append((place, weight, maximum))
            }
        }
        var pool = rest + open.reduce(0) { $0 + result[$1.place] }
        // A share whose minimum exceeds or whose maximum falls short of its part is settled first.
        var settled = false
        while !settled, !open.isEmpty {
            settled = true
            let weights = open.reduce(0) { $0 + $1.weight }
            for (index, share) in open.enumerated() {
                let part = pool * share.weight / weights
                let least = result[share.place]
                guard part < least || part > share.maximum else { continue }
                result[share.place] = part < least ? least : share.maximum
                pool -= result[share.place]
                open.remove(at: index)
                settled = false
                break
            }
        }
        var weights = open.reduce(0) { $0 + $1.weight }
        for share in open {
            let part = (pool * share.weight + weights / 2) / max(1, weights)
            result[share.place] = min(part, pool)
            pool -= result[share.place]
            weights -= share.weight
        }
    }

    /// Splits a rectangle, with `gap` empty cells between the parts.
    package static func split(
        _ rect: Rect,
        _ axis: Axis,
        _ shares: [Share],
        gap: Int = 0
    ) -> [Rect] {
        let whole = axis == .columns ? rect.columns : rect.rows
        let gaps = max(0, gap) * max(0, shares.count - 1)
        var place = axis == .columns ? rect.column : rect.row
        let end = place + whole
        return lengths(whole - gaps, shares).map { length in
            let start = min(place, end)
            let cells = min(length, end - start)
            place = start + cells + max(0, gap)
            return axis == .columns
                ? Rect(row: rect.row, column: start, rows: rect.rows, columns: cells)
                : Rect(row: start, column: rect.column, rows: cells, columns: rect.columns)
        }
    }
}
