public import CivilTime
import FoundationEssentials
public import ObjectGraph

/// The rules of the counted lists at one moment, for the values of single items.
///
/// They are the predicates that fetch the lists, evaluated in memory; so counts and lists cannot
/// differ. Lists with a search of the user, and those that concern other items, are counted by the
/// search in memory instead.
public struct MembershipRules {
    public let clock: DateContext
    private let day: DayRules
    /// The searches at the moment, and whether an item counts.
    private let lists: [(list: SmartList, rule: FetchPredicate, counts: CompiledPredicate)]
    private let isOpen: CompiledPredicate

    /// The lists with a count that the values of single items decide.
    public static let lists = SmartList.table.filter { $0.isCounted && !$0.isCountedBySearch }

    /// The searches of a day and its settings, with a mark in place of the moment.
    private struct DayRules {
        /// Half a second after the beginning of the day: no date that a search names is there.
        let mark: DateContext
        let lists: [(list: SmartList, rule: FetchPredicate, counted: FetchPredicate)]

        /// Those of the day of a moment; no search is read if others are of that day.
        init(_ clock: DateContext, or known: DayRules?) {
            var mark = clock
            mark.now = clock.zone.moment(clock.today).addingTimeInterval(0.5)
            self.mark = mark
            if let known, known.mark.isSame(as: mark) {
                lists = known.lists
            } else {
                lists = MembershipRules.lists.map { list in
                    let rule = list.rule(mark)
                    return (list, rule.predicate, (list.countedStates(mark) && rule).predicate)
                }
            }
        }
    }

    /// The rules at a moment; if those of an earlier one are given, and that is on the same day with
    /// the same settings, no search is read.
    public init(_ clock: DateContext, after earlier: MembershipRules? = nil) {
        self.clock = clock
        let day = DayRules(clock, or: earlier?.day)
        self.day = day
        lists = day.lists.map { list, rule, counted in
            let counts = CompiledPredicate(counted.replacing(day.mark.now, by: clock.now))
            return (list, rule.replacing(day.mark.now, by: clock.now), counts)
        }
        isOpen = earlier?.isOpen ?? CompiledPredicate(Library.openItems.predicate)
    }

    /// The scopes that count an item with some tags; of its values those of ``keys`` are read, and a
    /// missing one is `nil`.
    public func scopes(
        _ values: [String: GraphValue],
        tags: Set<ManagedObjectID>
    ) throws -> [Scope] {
        let item = GraphValue.dictionary(values)
        var scopes = try smartLists(values).map { Scope.smart($0) }
        guard try isOpen.evaluate(with: item) else { return scopes }
        if case .objectID(let list)? = values[Item.Keys.list] { scopes.append(.list(list)) }
        scopes += tags.map { .tag($0) }
        return scopes
    }

    /// The counted lists of an item.
    public func smartLists(_ values: [String: GraphValue]) throws -> Set<SmartList> {
        let item = GraphValue.dictionary(values)
        return Set(try lists.filter { try $0.counts.evaluate(with: item) }.map(\.list))
    }

    /// The keys whose values decide where an item is counted.
    public static let keys: Set<String> = {
        let anyTime = DateContext(now: Date(timeIntervalSince1970: 0), zone: .utc)
        var keys: Set = [Item.Keys.list]
        let rules = lists.map { $0.countedCondition(anyTime) } + [Library.openItems]
        for path in rules.flatMap({ KeyPathUse($0.predicate).paths }) {
            keys.formUnion(path.prefix(1))
        }
        return keys
    }()

    /// The properties of tasks that a rule compares with the moment: when one of them passes, tasks
    /// change their lists.
    public static let keysComparedWithNow: Set<String> = {
        let anyTime = DateContext(now: Date(timeIntervalSince1970: 0), zone: .utc)
        let day = DayRules(anyTime, or: nil)
        let dates = day.lists.flatMap { $0.rule.comparedDates }
        return Set(dates.filter { $0.date == day.mark.now }.map(\.key))
    }()

    /// The tasks that can be in other counted lists at another moment, because a date of theirs is
    /// between two moments with which a rule compares it, then and now.
    public func affected(by other: MembershipRules) -> Condition<Task> {
        var parts: Set<Condition<Task>> = []
        for (list, later) in zip(lists, other.lists) {
            let (old, new) = (list.rule.comparedDates, later.rule.comparedDates)
            for (old, new) in zip(old, new) where old.date != new.date {
                let key = FetchExpression.keyPath(old.key)
                let (first, last) = (min(old.date, new.date), max(old.date, new.date))
                let isBetween = FetchPredicate.and([
                    .comparison(.init(key, .greaterOrEqual, .constant(.date(first)))),
                    .comparison(.init(key, .lessOrEqual, .constant(.date(last)))),
                ])
                parts.insert(Condition<Task>(isBetween))
            }
        }
        return parts.reduce(nil as Condition<Task>?) { all, part in
            all.map { $0 || part } ?? part
        } ?? .always(false)
    }
}

extension FetchPredicate {
    /// The properties that it compares with dates, in the order of its text.
    fileprivate var comparedDates: [(key: String, date: Date)] {
        switch self {
        case .and(let parts), .or(let parts): return parts.flatMap(\.comparedDates)
        case .not(let part): return part.comparedDates
        case .comparison(let comparison):
            guard case .keyPath(let key) = comparison.left,
                case .constant(.date(let date)) = comparison.right
            else { return [] }
            return [(key, date)]
        case .constant, .block: return []
        }
    }

    /// The same with another date in place of one.
    fileprivate func replacing(_ date: Date, by other: Date) -> FetchPredicate {
        switch self {
        case .and(let parts): return .and(parts.map { $0.replacing(date, by: other) })
        case .or(let parts): return .or(parts.map { $0.replacing(date, by: other) })
        case .not(let part): return .not(part.replacing(date, by: other))
        case .comparison(var comparison):
            if comparison.right == .constant(.date(date)) {
                comparison.right = .constant(.date(other))
            }
            return .comparison(comparison)
        case .constant, .block: return self
        }
    }
}
