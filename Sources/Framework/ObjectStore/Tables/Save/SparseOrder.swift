// Sparse order keys. Members of an ordered relationship have integers of which only the order
// matters. They are far enough apart that a moved member finds room between its neighbours:
//   1. keep the keys of the longest run of members that are in order already;
//   2. give each other member a key between those of its kept neighbours;
//   3. where there is no room, include neighbours, and spread all of them over a wider gap.

/// Assigns order keys so that few members change theirs.
package enum SparseOrder {
    /// The distance between new keys.
    package static let step: Int64 = 1024
    /// How many numbers each member gets when a full stretch is spread out.
    private static let spread: Int64 = 16
    /// The first key of a list.
    package static let first: Int64 = 2048

    /// The keys to write for a new order: positions in the list with their new keys.
    ///
    /// `keys` holds the present key of each member in the new order, `nil` for a member without
    /// one.
    ///
    /// - Complexity: O(n log n); moving one member returns one key, amortised O(1).
    package static func changes(_ keys: [Int64?]) -> [(position: Int, key: Int64)] {
        var result = keys
        let kept = longestIncreasing(keys)
        var isKept = [Bool](repeating: false, count: keys.count)
        for position in kept { isKept[position] = true }
        var position = 0
        while position < keys.count {
            if isKept[position] {
                position += 1
                continue
            }
            var low = position
            var high = position
            var isWidened = false
            while high < keys.count, !isKept[high] { high += 1 }
            // Members low ..< high need keys; include neighbours while the gap is too small.
            while true {
                let before = low > 0 ? result[low - 1] ?? 0 : 0
                let count = Int64(high - low)
                if high == keys.count, before <= .max - (count + 1) * step {
                    var key = low > 0 ? before : first - step
                    for index in low..<high {
                        key = (key / step + 1) * step
                        result[index] = key
                    }
                    break
                }
                // The end of the numbers is a bound too.
                let after = high < keys.count ? result[high] ?? 0 : .max
                if after - before > (isWidened ? count * spread : count) {
                    let gap = after - before
                    let stride = gap / (count + 1)
                    var rest = gap % (count + 1)
                    var key = before
                    for index in low..<high {
                        key += stride
                        if rest > 0 {
                            key += 1
                            rest -= 1
                        }
                        result[index] = key
                    }
                    break
                }
                // Include as many on each side as there are already, so that spreading stays rare.
                let reach = max(1, high - low)
                isWidened = true
                low = max(0, low - reach)
                high = min(keys.count, high + reach)
                while high < keys.count, !isKept[high] { high += 1 }
            }
            position = high
        }
        var changed: [(Int, Int64)] = []
        for index in keys.indices {
            if let key = result[index], key != keys[index] { changed.append((index, key)) }
        }
        return changed
    }

    /// Positions whose positive keys form the longest strictly increasing sequence.
    private static func longestIncreasing(_ keys: [Int64?]) -> [Int] {
        // tails[n] is the position that ends the best sequence of length n + 1.
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: keys.count)
        for (position, key) in keys.enumerated() {
            guard let key, key > 0 else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if let tail = keys[tails[middle]], tail < key {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            if low > 0 { previous[position] = tails[low - 1] }
            if low == tails.count { tails.append(position) } else { tails[low] = position }
        }
        var result: [Int] = []
        var position = tails.last ?? -1
        while position >= 0 {
            result.append(position)
            position = previous[position]
        }
        return result.reversed()
    }
}
