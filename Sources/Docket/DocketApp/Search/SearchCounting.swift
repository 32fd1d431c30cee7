import TextSearch

/// Counts the found items by the field that each needs, a slice at a time, so that the next key
/// does not wait for all of a million.
struct SearchCounting {
    private let hits: SearchHits
    private let order: SearchOrder
    private var next = 0
    private(set) var counts: [SearchField: Int] = [:]

    /// How many items a slice counts: about two milliseconds.
    private static let slice = 1 << 16

    init(_ hits: SearchHits, in order: SearchOrder) {
        self.hits = hits
        self.order = order
    }

    /// Counts a slice; returns whether that was the last.
    mutating func work(in arena: SearchArena) -> Bool {
        let places = next..<min(next + Self.slice, order.count)
        guard let numbers = arena.countsByField(hits, in: order, places: places) else {
            // The texts have changed since; a new search follows.
            counts = [:]
            return true
        }
        for field in SearchField.allCases { counts[field, default: 0] += numbers[field.rawValue] }
        next = places.upperBound
        return next == order.count
    }
}
