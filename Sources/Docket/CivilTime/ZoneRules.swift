public import FoundationEssentials

/// A time zone: the distance of local time from UTC at every moment.
///
/// FoundationEssentials alone has no named zones (`TimeZone(identifier: "Europe/Berlin")` is `nil`
/// without Foundation's ICU part). So the rules come from the system's time zone files (RFC 9636),
/// or from a rule in `TZ` (POSIX, "Other Environment Variables").
///
/// - Complexity: a query costs a binary search in the zone's changes, or a few divisions for
///   years after the last one.
public struct ZoneRules: Sendable {
    /// The zone's name as given, for messages: `Europe/Berlin`, `UTC`.
    public let name: String
    /// Moments, in seconds since 1970, at which the offset changes; ascending.
    let changes: [Int]
    /// Seconds east of UTC, from each change on.
    let offsets: [Int]
    /// Seconds east of UTC before the first change.
    let firstOffset: Int
    /// The rule for the time after the last change.
    let tail: ZoneTail?

    public static let utc = ZoneRules(fixed: 0, name: "UTC")

    /// A zone that is always the same number of seconds east of UTC.
    public init(fixed offset: Int, name: String) {
        self.init(name: name, changes: [], offsets: [], firstOffset: offset, tail: nil)
    }

    /// A zone with these changes, in any order.
    ///
    /// - Parameters:
    ///   - name: the zone's name.
    ///   - firstOffset: seconds east of UTC before the first change.
    ///   - changes: moments, in seconds since 1970, and the seconds east of UTC from then on.
    public init(name: String, firstOffset: Int, changes: [(moment: Int, offset: Int)]) {
        let sorted = changes.sorted { $0.moment < $1.moment }
        self.init(
            name: name,
            changes: sorted.map(\.moment),
            offsets: sorted.map(\.offset),
            firstOffset: firstOffset,
            tail: nil
        )
    }

    init(name: String, changes: [Int], offsets: [Int], firstOffset: Int, tail: ZoneTail?) {
        self.name = name
        self.changes = changes
        self.offsets = offsets
        self.firstOffset = firstOffset
        self.tail = tail
    }

    /// Whether two zones have the same name and changes.
    public func isSame(as other: ZoneRules) -> Bool {
        name == other.name && firstOffset == other.firstOffset && changes == other.changes
            && offsets == other.offsets
    }

    /// Seconds east of UTC at a moment given in seconds since 1970.
    public func offset(at moment: Int) -> Int {
        guard let last = changes.last, moment < last else {
            if let tail { return tail.offset(at: moment) }
            return offsets.last ?? firstOffset
        }
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffset : offsets[low - 1]
    }

    /// The changes of the clock in some years of UTC, ascending.
    ///
    /// - Parameter years: the years.
    /// - Returns: the moments in seconds since 1970, and the seconds east of UTC before and after.
    public func changes(
        in years: ClosedRange<Int>
    ) -> [(moment: Int, before: Int, after: Int)] {
        var moments = changes
        if let tail, let summer = tail.summer {
            for year in years {
                let start = summer.start.local(in: year) - tail.standard
                let end = summer.end.local(in: year) - summer.offset
                moments += [start, end].filter { $0 > changes.last ?? .min }
            }
        }
        return moments.sorted().compactMap { moment in
            let (before, after) = (offset(at: moment - 1), offset(at: moment))
            let day = Day(number: Int((Double(moment) / 86_400).rounded(.down)))
            return before != after && years.contains(day.year) ? (moment, before, after) : nil
        }
    }

    /// The local day and the seconds passed on its clock at a moment.
    public func local(_ date: Date) -> (day: Day, second: Int) {
        let moment = Int(max(-1e11, min(3e11, date.timeIntervalSince1970.rounded(.down))))
        let local = moment + offset(at: moment)
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        return (Day(number: day), local - day * 86_400)
    }

    public func day(of date: Date) -> Day { local(date).day }

    /// The moment at which the clock of a day shows `second` seconds after midnight.
    ///
    /// A time that is skipped in spring is moved forward by the skipped amount; for a time that
    /// occurs twice in autumn, the first one is used.
    public func moment(_ day: Day, second: Int = 0) -> Date {
        let local = day.number * 86_400 + second
        let before = offset(at: local - 86_400)
        let after = offset(at: local + 86_400)
        var moment = local - before
        if before != after, offset(at: moment) != before, offset(at: local - after) == after {
            moment = local - after
        }
        return Date(timeIntervalSince1970: Double(moment))
    }
}
