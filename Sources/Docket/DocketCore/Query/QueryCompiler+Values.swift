import CivilTime
import DocketFormats
import FoundationEssentials
import ObjectGraph
import SearchLanguage

// What the values of each kind of field mean.
extension QueryCompiler {
    static let none: Set = ["none", "no"]
    static let any: Set = ["any", "some"]

    /// Whether the name of a list or a tag means something else as a value: `list:none`.
    static func isWord(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return none.contains(lowered) || any.contains(lowered) || lowered == "inbox"
    }

    /// One of some names, in any letter case.
    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: String,
        _ field: String,
        of type: Choice.Type = Choice.self
    ) throws(Failure) -> Choice {
        let value = value.lowercased()
        if let choice = Choice(rawValue: value) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let isBeginning = names.contains { $0.hasPrefix(value) }
        throw Failure(
            kind: isBeginning ? .incomplete : .wrong,
            sentence: localized("\(field): takes \(names.joined(separator: ", ")).")
        )
    }

    // MARK: Texts and numbers

    func text(
        _ field: QueryField,
        _ comparison: QueryComparison,
        _ value: String
    ) throws(Failure) -> CompiledQuery {
        let place = QueryTextField(rawValue: field.name) ?? .title
        switch comparison {
        case .pattern:
            do throws(QueryPattern.Failure) {
                return .pattern(try QueryPattern(value), place)
            } catch { throw Failure(sentence: error.sentence) }
        case .fits:
            // A text without anything that counts is in every text.
            return QueryNames.folded(value).isEmpty ? .everything : .contains(value, place)
        case .equal:
            let parts = place.keys.map { CompiledQuery.compare($0, .equal, value) }
            return .condition(parts.count == 1 ? parts[0] : .or(parts))
        default:
            throw Failure(
                sentence: localized("\(field.name): has no order; write \(field.name):\(value).")
            )
        }
    }

    func number(
        _ field: QueryField,
        _ comparison: QueryComparison,
        _ value: String
    ) throws(Failure) -> FetchPredicate {
        let numbers: [Int64]
        do throws(InputError) {
            numbers = try ShortID.parseList(value)
        } catch { throw Failure(sentence: error.message) }
        let key = Item.Keys.shortID
        if numbers.count > 1, let first = numbers.first, let last = numbers.last {
            guard comparison == .fits || comparison == .equal else {
                throw Failure(
                    sentence: localized(
                        "\(field.name): compares with one number, not with a range."
                    )
                )
            }
            return .and([
                Self.compare(key, .greaterOrEqual, .int(first)),
                Self.compare(key, .lessOrEqual, .int(last)),
            ])
        }
        return Self.compare(key, try Self.operation(comparison, field), .int(numbers.first ?? 0))
    }

    /// That a value names items by number of which none exists, one sentence.
    func missing(_ field: QueryField, _ comparison: QueryComparison, _ value: String) -> String? {
        switch field.kind {
        case .relation: break
        case .number where [.fits, .equal, .notEqual].contains(comparison): break
        default: return nil
        }
        guard let numbers = try? ShortID.parseList(value), let first = numbers.first,
            let last = numbers.last, !names.hasItem(of: numbers)
        else { return nil }
        return first == last
            ? localized("There is no item \(first).")
            : localized("There are no items \(first) to \(last).")
    }

    func priority(
        _ field: QueryField,
        _ comparison: QueryComparison,
        _ value: String
    ) throws(Failure) -> FetchPredicate {
        let value = value.lowercased()
        if Self.any.contains(value) { return Self.compare(Task.Keys.priority, .greater, .int(0)) }
        guard let number = Self.priorityLevel(value) else {
            let isBeginning = Self.priorityNames.contains { $0.hasPrefix(value) }
            throw Failure(
                kind: isBeginning ? .incomplete : .wrong,
                sentence: localized("\(field.name): takes none, low, medium, high, or 0 to 3.")
            )
        }
        let operation = try Self.operation(comparison, field)
        return Self.compare(Task.Keys.priority, operation, .int(Int64(number)))
    }

    private static let priorityNames = ["none", "low", "medium", "high"]

    /// The priority of a name, a beginning of it or a number; `nil` for another text.
    static func priorityLevel(_ value: String) -> Int? {
        let value = value.lowercased()
        return Int(value).flatMap { (0...3).contains($0) ? $0 : nil }
            ?? priorityNames.firstIndex(of: value)
            ?? ["n": 0, "l": 1, "m": 2, "med": 2, "h": 3][value]
    }

    func estimate(
        _ field: QueryField,
        _ comparison: QueryComparison,
        _ value: String
    ) throws(Failure) -> FetchPredicate {
        let key = Task.Keys.estimate
        if let presence = Self.presence(of: key, value) { return presence }
        guard let seconds = Estimate.seconds(value) else {
            throw Failure(
                sentence: localized("\"\(value)\" is not a duration; write 90, 1h30m or 1:30.")
            )
        }
        return Self.compare(key, try Self.operation(comparison, field), .int(Int64(seconds)))
    }

    // MARK: Dates

    func date(
        _ date: QueryDateField,
        _ field: QueryField,
        _ comparison: QueryComparison,
        _ value: String
    ) throws(Failure) -> FetchPredicate {
        if let presence = Self.presence(of: date.key, value) { return presence }
        if comparison == .pattern {
            throw Failure(sentence: localized("\(field.name): takes dates, not patterns."))
        }
        if let dots = value.firstRange(of: ".."), comparison == .fits || comparison == .equal {
            return try range(date, value[..<dots.lowerBound], value[dots.upperBound...])
        }
        let span = try span(date, value)
        // An age runs against time: younger than a week is after a week ago.
        let isAge = span.isAmount && date.looksBack
        switch comparison {
        case .less:
            return isAge ? between(date, (span.end, false), nil) : before(date, (span.first, false))
        case .lessOrEqual:
            return isAge ? between(date, (span.first, true), nil) : before(date, (span.end, true))
        case .greater:
            return isAge ? before(date, (span.first, false)) : between(date, (span.end, false), nil)
        case .greaterOrEqual:
            return isAge ? before(date, (span.end, true)) : between(date, (span.first, true), nil)
        default:
            var end = span.end
            if case .moment(let moment) = end {
                // A moment is a minute long.
                end = .moment(moment.addingTimeInterval(60))
            }
            return between(date, (span.first, true), (end, false))
        }
    }

    /// `a..b`, one of which may be left out.
    private func range(
        _ date: QueryDateField,
        _ first: Substring,
        _ last: Substring
    ) throws(Failure) -> FetchPredicate {
        var from: Bound?
        var until: Bound?
        if !first.isEmpty { from = (try span(date, String(first)).first, true) }
        if !last.isEmpty { until = (try span(date, String(last)).end, true) }
        if from == nil, until == nil {
            throw Failure(
                kind: .incomplete,
                sentence: localized("A range needs a first or a last date.")
            )
        }
        return between(date, from, until)
    }

    func span(_ date: QueryDateField, _ text: String) throws(Failure) -> QueryDates.Span {
        do throws(InputError) {
            return try dates.span(text, looksBack: date.looksBack)
        } catch { throw Failure(sentence: error.message) }
    }

    /// An edge, and whether it is included if it is a moment.
    typealias Bound = (edge: QueryDates.Edge, isIncluded: Bool)

    private func before(_ date: QueryDateField, _ end: Bound) -> FetchPredicate {
        between(date, nil, end)
    }

    /// Between two bounds; a whole day counts by its day.
    ///
    /// The ranges of moments and of days are one conjunction each, so that an index on the date
    /// finds both.
    func between(_ date: QueryDateField, _ first: Bound?, _ end: Bound?) -> FetchPredicate {
        var moments: [FetchPredicate] = []
        var days: [FetchPredicate] = []
        func add(
            _ operation: FetchComparison.Operator,
            _ moment: Date,
            _ dayOperation: FetchComparison.Operator,
            _ day: Day
        ) {
            moments.append(Self.compare(date.key, operation, .date(moment)))
            days.append(Self.compare(date.key, dayOperation, .date(DueDate.noon(day))))
        }
        switch first {
        case (.day(let day), _)?:
            add(.greaterOrEqual, clock.zone.moment(day), .greaterOrEqual, day)
        case (.moment(let moment), let isIncluded)?:
            let day = clock.zone.day(of: moment)
            add(
                isIncluded ? .greaterOrEqual : .greater,
                moment,
                .greaterOrEqual,
                isIncluded ? day : day.adding(days: 1)
            )
        case nil: break
        }
        switch end {
        case (.day(let day), _)?: add(.less, clock.zone.moment(day), .less, day)
        case (.moment(let moment), let isIncluded)?:
            let day = clock.zone.day(of: moment)
            add(
                isIncluded ? .lessOrEqual : .less,
                moment,
                .less,
                isIncluded ? day.adding(days: 1) : day
            )
        case nil: break
        }
        guard let dayKey = date.dayKey else {
            return moments.count == 1 ? moments[0] : .and(moments)
        }
        return .or([
            .and([Self.compare(dayKey, .equal, .bool(false))] + moments),
            .and([Self.compare(dayKey, .equal, .bool(true))] + days),
        ])
    }

    // MARK: Names

    func list(_ value: String, alone: Bool) throws(Failure) -> FetchPredicate {
        let lowered = value.lowercased()
        if Self.none.contains(lowered) || lowered == "inbox" {
            return Self.compare(Item.Keys.list, .equal, .null)
        }
        if Self.any.contains(lowered) { return Self.compare(Item.Keys.list, .notEqual, .null) }
        let path = Self.listPath(value)
        let found = names.lists(at: path, alone: alone)
        guard found.isEmpty || path.isEmpty else {
            return Condition<Item> { $0.list.in(found) }.predicate
        }
        let wanted = QueryNames.folded(path.joined(separator: "/"))
        let isBeginning = names.lists.contains { list in
            list.foldedPath.hasPrefix(wanted) || list.folded.contains { $0.hasPrefix(wanted) }
        }
        let known = names.lists.prefix(10).map { ListPath.string($0.path) }
        throw Failure(
            kind: isBeginning ? .incomplete : .wrong,
            sentence: localized("The list \"\(value)\" does not exist.")
                + (known.isEmpty
                    ? "" : localized(" Existing lists: \(known.joined(separator: ", "))."))
        )
    }

    /// The path of a list; `Work/…` is what `Work` means already.
    static func listPath(_ value: String) -> [String] {
        var path = ListPath.parse(value)
        if let last = path.last, ["…", "...", "*"].contains(last) { path.removeLast() }
        return path
    }

    /// The name of a tag that was written with or without its sign.
    static func tagName(_ value: String) -> String {
        value.hasPrefix("#") ? String(value.dropFirst()) : value
    }

    func tag(_ value: String) throws(Failure) -> FetchPredicate {
        let lowered = value.lowercased()
        if Self.none.contains(lowered) { return Condition<Item> { $0.tags.isEmpty }.predicate }
        if Self.any.contains(lowered) { return Condition<Item> { $0.tags.count > 0 }.predicate }
        let name = Self.tagName(value)
        let found = names.tags(named: name)
        if !found.isEmpty { return CompiledQuery.tagged(found) }
        let folded = QueryNames.folded(name)
        let isBeginning = names.tags.contains { $0.folded.hasPrefix(folded) }
        let known = names.tags.prefix(10).map { "#\($0.name)" }
        throw Failure(
            kind: isBeginning ? .incomplete : .wrong,
            sentence: localized("The tag #\(name) does not exist.")
                + (known.isEmpty
                    ? "" : localized(" Existing tags: \(known.joined(separator: ", "))."))
        )
    }

    /// The items of the locations that have a text in their name, or have it as their name.
    func location(_ value: String, whole: Bool) throws(Failure) -> FetchPredicate {
        let key = Task.Keys.location
        if let presence = Self.presence(of: key, value) { return presence }
        let folded = QueryNames.folded(Self.locationName(value))
        let found = names.locations.filter {
            whole ? $0.folded == folded : $0.folded.contains(folded)
        }
        if !found.isEmpty {
            let ids = found.map(\.id)
            return Condition<Item>.task { $0.location.in(ids) }.predicate
        }
        let known = names.locations.prefix(10).map { "@\($0.name)" }
        throw Failure(
            sentence: localized("No location is called \"\(value)\".")
                + (known.isEmpty
                    ? "" : localized(" Existing locations: \(known.joined(separator: ", "))."))
        )
    }

    /// The name of a location that was written with or without its sign.
    static func locationName(_ value: String) -> String {
        value.hasPrefix("@") ? String(value.dropFirst()) : value
    }

    /// The tasks that are connected with those of some numbers, with any, or with none.
    func related(_ ties: QueryTies, _ value: String) throws(Failure) -> FetchPredicate {
        let lowered = value.lowercased()
        let isNone = Self.none.contains(lowered)
        if isNone || Self.any.contains(lowered) {
            let any: Condition<Item> =
                switch ties {
                case .waits: .task { $0.blockedBy.count > 0 }
                case .blocks: .task { $0.blocks.count > 0 }
                }
            return isNone ? .not(any.predicate) : any.predicate
        }
        let numbers: [Int64]
        do throws(InputError) {
            numbers = try ShortID.parseList(value)
        } catch { throw Failure(sentence: error.message) }
        let related: Condition<Item> =
            switch ties {
            case .waits: .task { task in task.blockedBy.any { $0.shortID.in(numbers) } }
            case .blocks: .task { task in task.blocks.any { $0.shortID.in(numbers) } }
            }
        return related.predicate
    }

    func repetition(_ value: String) throws(Failure) -> FetchPredicate {
        let repetition = try choice(value, "every", of: QueryRepetition.self)
        let key = Task.Keys.rule
        switch repetition {
        case .none: return Self.compare(key, .equal, .null)
        case .any: return Self.compare(key, .notEqual, .null)
        default:
            return .or(
                repetition.ruleTexts.map { text in
                    .comparison(
                        FetchComparison(
                            .keyPath(key),
                            .contains,
                            .constant(.string(text)),
                            options: .caseInsensitive
                        )
                    )
                }
            )
        }
    }

    // MARK: States

    func state(_ value: String) throws(Failure) -> FetchPredicate {
        let state = try choice(value, "is", of: QueryState.self)
        let isOpen = Self.compare(Task.Keys.completed, .equal, .null)
        let condition: Condition<Item>
        switch state {
        case .open: return isOpen
        case .done: return .not(isOpen)
        case .overdue: return .and([isOpen, before(.due, (.moment(clock.now), false))])
        case .blocked:
            return QueryRelation.blocked.predicate
        case .blocking: return .and([isOpen, QueryRelation.blocking.predicate])
        case .waiting: return between(.start, (.moment(clock.now), false), nil)
        case .flagged: condition = \.flagged == true
        case .repeating: return Self.compare(Task.Keys.rule, .notEqual, .null)
        case .someday:
            return .and(
                [Task.Keys.due, Task.Keys.start, Task.Keys.rule].map {
                    Self.compare($0, .equal, .null)
                } + [
                    Self.compare(Task.Keys.priority, .lessOrEqual, .int(1)),
                    Self.compare(Item.Keys.flagged, .equal, .bool(false)),
                    Self.compare(Task.Keys.parent, .equal, .null),
                ]
            )
        case .task: return Self.compare(Task.Keys.priority, .notEqual, .null)
        case .note: return Self.compare(Task.Keys.priority, .equal, .null)
        case .subtask: return Self.compare(Task.Keys.parent, .notEqual, .null)
        case .trashed: return Self.compare(Item.Keys.trashed, .notEqual, .null)
        case .conflict:
            let ids = names.conflicts.map { GraphValue.objectID($0) }
            return .comparison(FetchComparison(.evaluatedObject, .in, .constant(.array(ids))))
        }
        return condition.predicate
    }

    func presence(_ value: String) throws(Failure) -> FetchPredicate {
        func has(_ key: String) -> FetchPredicate { Self.compare(key, .notEqual, .null) }
        switch try choice(value, "has", of: QueryPresence.self) {
        case .notes:
            return .or(
                QueryTextField.notes.keys.map {
                    .and([has($0), Self.compare($0, .notEqual, .string(""))])
                }
            )
        case .due: return has(Task.Keys.due)
        case .start: return has(Task.Keys.start)
        case .tags: return Condition<Item> { $0.tags.count > 0 }.predicate
        case .list: return has(Item.Keys.list)
        case .subtasks:
            return QueryRelation.subtasks.predicate
        case .parent: return has(Task.Keys.parent)
        case .estimate: return has(Task.Keys.estimate)
        case .reminder: return has(Task.Keys.remindTimes)
        case .attachments: return Condition<Item> { $0.attachments.count > 0 }.predicate
        case .links: return Condition<Item> { $0.links.count > 0 }.predicate
        case .location: return has(Task.Keys.location)
        }
    }

    func links(_ value: String) throws(Failure) -> FetchPredicate {
        switch try choice(value, "links", of: QueryLinks.self) {
        case .any: Condition<Item> { $0.links.count > 0 }.predicate
        case .none: Condition<Item> { $0.links.count == 0 }.predicate
        case .broken: Item.hasBrokenLinks.predicate
        }
    }

    // MARK: Comparisons

    static func compare(
        _ key: String,
        _ operation: FetchComparison.Operator,
        _ value: GraphValue
    ) -> FetchPredicate {
        .comparison(FetchComparison(.keyPath(key), operation, .constant(value)))
    }

    /// Whether a property has any value, where that was asked for.
    private static func presence(of key: String, _ value: String) -> FetchPredicate? {
        let value = value.lowercased()
        if none.contains(value) { return compare(key, .equal, .null) }
        return any.contains(value) ? compare(key, .notEqual, .null) : nil
    }

    private static func operation(
        _ comparison: QueryComparison,
        _ field: QueryField
    ) throws(Failure) -> FetchComparison.Operator {
        switch comparison {
        case .fits, .equal, .notEqual: return .equal
        case .less: return .less
        case .lessOrEqual: return .lessOrEqual
        case .greater: return .greater
        case .greaterOrEqual: return .greaterOrEqual
        case .pattern: throw Failure(sentence: localized("\(field.name): does not take a pattern."))
        }
    }
}
