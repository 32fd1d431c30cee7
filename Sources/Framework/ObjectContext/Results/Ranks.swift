/// Sparse display order.
///
/// Each item of a list holds an `Int64` rank, and an item is moved by giving it a rank between its
/// new neighbours. Nothing else is written.
///
/// Ranks begin ``spacing`` apart. If a gap is used up, new ranks are spaced out in the smallest
/// surrounding window that has enough room:
///
/// 1. Grow the window around the gap, 2, 4, 8 … items, half of them on each side.
/// 2. Accept it when the mean gap would be at least four times the window's size (at most
///    ``spacing`` / 4), or when it reaches an end of the list, after which there is unlimited room.
/// 3. Give its items evenly spaced ranks between the ranks just outside of it.
///
/// Larger windows become sparser, so a window of m items is not written again before about m
/// insertions at the same place (Bender and others, "Two simplified algorithms for maintaining
/// order in a list", 2002). Random moves rarely need a second write. The worst case, always
/// inserting at one place, costs O(log n) writes for each insertion, amortised.
public enum Ranks {
    /// The distance between neighbours in a list that was never reordered.
    public static let spacing: Int64 = 1 << 20

    /// Ranks stay inside ±``limit``, so that distances never overflow.
    public static let limit: Int64 = 1 << 61

    /// Which numbers are ranks.
    public struct Scale: Sendable {
        /// The distance between neighbours, where there is room.
        public let spacing: Int64
        /// Ranks stay inside ±`limit`.
        public let limit: Int64

        /// See ``Ranks/spacing`` and ``Ranks/limit``.
        public init(spacing: Int64, limit: Int64) {
            self.spacing = spacing
            self.limit = limit
        }

        /// Room for 64-bit ranks.
        public static let wide = Scale(spacing: Ranks.spacing, limit: Ranks.limit)
    }

    /// Ranks for a new list of `count` items, in order.
    public static func initial(count: Int) -> [Int64] {
        (0..<Int64(count)).map { ($0 + 1) * spacing }
    }

    /// A rank behind the last one of a list; the same at the end of the numbers.
    public static func behind(_ last: Int64) -> Int64 {
        last > Int64.max - spacing ? Int64.max : last + spacing
    }

    /// The ranks of placed items, and of neighbours that must be written too.
    public struct Placement: Hashable, Sendable {
        /// Ranks of the placed items, in order.
        public var placed: [Int64]
        /// New ranks of the nearest items before the gap, nearest first; usually empty.
        public var before: [Int64]
        /// New ranks of the nearest items after the gap, nearest first; usually empty.
        public var after: [Int64]
    }

    /// Finds ranks for `count` items that go, in order, into one gap of a list.
    ///
    /// The moved items must not be among the neighbours. Two processes that insert at the same time
    /// may leave equal ranks; a gap between equal ranks is treated like a full one.
    ///
    /// - Parameters:
    ///   - count: The number of placed items; a block of marked items is placed at once.
    ///   - scale: Which numbers are ranks.
    ///   - before: The ranks of the nearest `n` items before the gap, nearest first; fewer if the
    ///     list begins there. Called with 1 in the usual case, then with 2, 3, 5, 9 ….
    ///   - after: The same after the gap.
    /// - Returns: The ranks of the placed items, and those of neighbours that must be written too.
    /// - Complexity: O(`count`) reads and writes in the usual case.
    public static func place(
        _ count: Int = 1,
        on scale: Scale = .wide,
        before: (_ n: Int) throws -> [Int64],
        after: (_ n: Int) throws -> [Int64]
    ) rethrows -> Placement {
        guard count > 0 else { return Placement(placed: [], before: [], after: []) }
        var half = 0
        while true {
            // One item more than the window on each side: the fixed borders.
            let low = try before(half + 1)
            let high = try after(half + 1)
            let lowCount = min(half, low.count)
            let highCount = min(half, high.count)
            let window = lowCount + highCount
            let border = (low: low.dropFirst(half).first, high: high.dropFirst(half).first)
            let total = count + window
            let minimum = half == 0 ? 1 : min(Int64(window) * 4, max(1, scale.spacing / 4))
            if let ranks = scale.spread(
                total,
                from: border.low,
                to: border.high,
                minimum: minimum
            ) {
                return Placement(
                    placed: Array(ranks[lowCount..<lowCount + count]),
                    before: ranks[..<lowCount].reversed(),
                    after: Array(ranks[(lowCount + count)...])
                )
            }
            if border.low == nil, border.high == nil {
                // The whole list: begin again around zero.
                let ranks = scale.centred(total)
                return Placement(
                    placed: Array(ranks[lowCount..<lowCount + count]),
                    before: ranks[..<lowCount].reversed(),
                    after: Array(ranks[(lowCount + count)...])
                )
            }
            half = max(1, half * 2)
        }
    }
}

extension Ranks.Scale {
    /// `count` ranks strictly between two borders, at least `minimum` apart from each other and
    /// from the borders; `nil` if there is no room.
    fileprivate func spread(
        _ count: Int,
        from low: Int64?,
        to high: Int64?,
        minimum: Int64
    ) -> [Int64]? {
        let count64 = Int64(count)
        switch (low, high) {
        case (nil, nil):
            return count64 < limit / spacing ? centred(count) : nil
        case (let low?, nil):
            guard low < limit - count64 * spacing, low > -limit else { return nil }
            return (1...count64).map { low + $0 * spacing }
        case (nil, let high?):
            guard high > count64 * spacing - limit, high < limit else { return nil }
            return (1...count64).map { high - (count64 + 1 - $0) * spacing }
        case (let low?, let high?):
            guard low < high, low >= -limit, high <= limit else { return nil }
            let distance = high - low
            let step = distance / (count64 + 1)
            guard step >= minimum else { return nil }
            // Spread the remainder as well, so that no rounding piles up at one end.
            let rest = distance - step * (count64 + 1)
            return (1...count64).map { index in
                let share = (rest * index) / (count64 + 1)
                return low + step * index + share
            }
        }
    }

    fileprivate func centred(_ count: Int) -> [Int64] {
        let spacing = min(spacing, max(1, limit / (Int64(count / 2) + 1)))
        let first = -Int64(count / 2) * spacing
        return (0..<Int64(count)).map { first + $0 * spacing }
    }
}
