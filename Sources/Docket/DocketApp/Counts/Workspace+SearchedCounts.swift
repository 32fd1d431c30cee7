import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph
import TextSearch

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

    /// Counts one of the lists in sight; returns whether its number is another one.
    func countOneList() -> Bool {
        guard let list = nextListToCount else { return false }
        // An error leaves the number out; the list itself reports it.
        let number = (try? search.count(list)) ?? nil
        defer { searchedCounts.set(number, of: list, search.version, library.clock()) }
        return searchedCounts.number(of: list) != number
    }
}
