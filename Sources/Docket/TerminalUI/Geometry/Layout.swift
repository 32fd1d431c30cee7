/// The size of one part of a split.
public struct Share: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case fixed(Int)
        case weighted(Int, minimum: Int, maximum: Int)
    }

    let kind: Kind

    /// Exactly this number of cells, if there is space.
    public static func fixed(_ cells: Int) -> Share { Share(kind: .fixed(max(0, cells))) }

    /// A part of the space that the fixed shares leave, by weight, with a minimum and a maximum.
    public static func weighted(_ weight: Int = 1, minimum: Int = 0, maximum: Int = .max) -> Share {
        Share(
            kind: .weighted(
                max(1, weight),
                minimum: max(0, minimum),
                maximum: max(minimum, maximum)
            )
        )
    }
}

/// The direction in which a rectangle is split.
public enum Axis: Sendable {
    /// Side by side.
    case columns
    /// One above the other.
    case rows
}

/// Division of a length or a rectangle among shares; pure functions.
public enum Layout {
    /// Lengths for the shares; they add up to `length` if a weighted share can take the rest.
    ///
    /// If the fixed lengths and minimums do not fit, earlier shares come first.
    public static func lengths(_ length: Int, _ shares: [Share]) -> [Int] {
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

    /// Distributes the rest so that each open share comes near its part by weight.
    private static func distribute(_ rest: Int, among shares: [Share], into result: inout [Int]) {
        var open: [(place: Int, weight: Int, maximum: Int)] = []
        for (place, share) in shares.enumerated() {
            if case .weighted(let weight, _, let maximum) = share.kind {
                open.append((place, weight, maximum))
            }
        }
        var pool = rest + open.reduce(0) { $0 + result[$1.place] }
        // Shares whose part breaks a limit are set to the limit, round by round. First those under
        // their minimum, while these need more than the shares over their maximum give back;
        // otherwise the latter.
        while !open.isEmpty {
            let weights = open.reduce(0) { $0 + $1.weight }
            let wanted = open.map { share in
                let part = pool * share.weight / weights
                let least = result[share.place]
                return (part: part, held: max(least, min(part, share.maximum)))
            }
            guard wanted.contains(where: { $0.part != $0.held }) else { break }
            let excess = wanted.reduce(0) { $0 + $1.held - $1.part }
            for index in open.indices.reversed() {
                let (part, held) = wanted[index]
                guard held != part, excess >= 0 ? held > part : held < part else { continue }
                result[open[index].place] = held
                pool -= held
                open.remove(at: index)
            }
        }
        let weights = open.reduce(0) { $0 + $1.weight }
        var left = pool
        for share in open {
            result[share.place] = pool * share.weight / weights
            left -= result[share.place]
        }
        // Cells that remain after rounding go to the first shares, one each.
        for share in open where left > 0 && result[share.place] < share.maximum {
            result[share.place] += 1
            left -= 1
        }
    }

    /// Splits a rectangle, with `gap` empty cells between the parts.
    public static func split(
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
