import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph
import TextSearch

/// The numbers of items of the lists that the search in memory counts: those with a search of the
/// user, and those that concern other items.
///
/// Only lists in sight are counted, one at a time between events; a number stays until its list is
/// counted again.
struct SearchedCounts {
    /// What a number depends on.
    private struct State: Equatable {
        let version: SearchedSets.Version
        /// Searches compare with the time; a minute later the number may be another one.
        let minute: Int
    }

    private struct Count {
        let list: SmartList
        let state: State
        /// `nil` if the search cannot be used.
        let number: Int?
    }

    private var counts: [SmartList: Count] = [:]

    /// The number, if the list was counted as it is now.
    func number(of list: SmartList) -> Int? {
        guard let count = counts[list], count.list.isSame(as: list) else { return nil }
        return count.number
    }

    /// The first list that has to be counted, again or for the first time.
    func next(
        among lists: [SmartList],
        _ version: SearchedSets.Version,
        _ clock: DateContext
    ) -> SmartList? {
        let state = State(version: version, minute: Self.minute(clock))
        return lists.first { list in
            guard list.isCounted, list.isCountedBySearch else { return false }
            guard let count = counts[list] else { return true }
            return count.state != state || !count.list.isSame(as: list)
        }
    }

    mutating func set(
        _ number: Int?,
        of list: SmartList,
        _ version: SearchedSets.Version,
        _ clock: DateContext
    ) {
        let state = State(version: version, minute: Self.minute(clock))
        counts[list] = Count(list: list, state: state, number: number)
    }

    private static func minute(_ clock: DateContext) -> Int {
        Int(clock.now.timeIntervalSince1970 / 60)
    }
}
