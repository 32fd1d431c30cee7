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

extension SearchController {
    /// What the sets of rows depend on.
    var version: SearchedSets.Version {
        SearchedSets.Version(texts: arena.version, columns: columns.version, changes: changes)
    }

    /// The number of items of a list; `nil` if its search cannot be used.
    func count(_ list: SmartList) throws -> Int? {
        let clock = library.clock()
        let filter = list.filter(clock)
        if filter.refusal != nil { return nil }
        let states = CompiledQuery.condition(list.countedStates(clock).predicate)
        var found = try rows(.and([filter.compiled, states]))
        // The row of an item that is gone keeps its values.
        found.formIntersection(arena.presentRows)
        return found.count
    }
}

extension Workspace {
    /// The number of open items of a scope, as the lists pane shows it; `nil` if it is not known.
    func count(of scope: Scope) -> Int? {
        if case .smart(let list) = scope, list.isCountedBySearch {
            return searchedCounts.number(of: list)
        }
        return counts.counts[scope]
    }

    /// The same, with 0 for a scope without items.
    func expectedCount(of scope: Scope) -> Int? {
        if case .smart(let list) = scope, list.isCountedBySearch { return count(of: scope) }
        return counts.expectedCount(of: scope)
    }

    /// Whether the search of a list cannot be used.
    func hasProblem(_ scope: Scope?) -> Bool {
        guard case .smart(let list)? = scope, list.hasOwnQuery else { return false }
        return list.problem(library.clock()) != nil
    }

    private var nextListToCount: SmartList? {
        guard search.isReady, longRun == nil else { return nil }
        var lists = lists.smartListsInSight
        if case .smart(let list) = items.scope { lists.append(list) }
        if !lists.contains(where: \.isCountedBySearch) { return nil }
        return searchedCounts.next(among: lists, search.version, library.clock())
    }

    var hasListsToCount: Bool { nextListToCount != nil }

    /// Counts one of the lists in sight.
    func countOneList() {
        guard let list = nextListToCount else { return }
        // An error leaves the number out; the list itself reports it.
        let number = (try? search.count(list)) ?? nil
        searchedCounts.set(number, of: list, search.version, library.clock())
    }
}
