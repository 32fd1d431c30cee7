public import CivilTime
import DocketFormats
import FoundationEssentials
import SearchLanguage

extension ItemFilter {
    /// The search in words: `due within 7 days, tagged home, open`.
    public func inWords(_ clock: DateContext) -> String {
        QueryWords(clock: clock).text(expression)
    }
}

/// Says in words what a search asks for.
struct QueryWords {
    let clock: DateContext

    func text(_ expression: QueryExpression) -> String {
        switch expression {
        case .everything: ""
        case .text(let text): "“\(text.text)”"
        case .term(let term): self.term(term, isNegated: false)
        case .not(.text(let text)): "without “\(text.text)”"
        case .not(.term(let term)): self.term(term, isNegated: true)
        case .not(let inner): "not (\(text(inner)))"
        case .and(let parts):
            parts.map { part in
                if case .or = part { "(\(text(part)))" } else { text(part) }
            }.joined(separator: ", ")
        case .or(let parts):
            parts.map { part in
                if case .and = part { "(\(text(part)))" } else { text(part) }
            }.joined(separator: " or ")
        }
    }

    private func term(_ term: QueryTerm, isNegated: Bool) -> String {
        guard let field = QueryField.named(term.field) else { return "" }
        let isNegated = isNegated != (term.comparison == .notEqual)
        let one = term.values.count == 1
        switch field.kind {
        case .state where one:
            return state(term.values[0].text.lowercased(), isNegated)
        case .state:
            let states = term.values.map { state($0.text.lowercased(), false) }
            return (isNegated ? "not " : "") + joined(states)
        case .presence:
            let names = term.values.map { self.name(ofPresence: $0.text.lowercased()) }
            return (isNegated ? "without " : "with ") + joined(names)
        case .links:
            let names = term.values.map { value in
                value.text.lowercased() == "any" ? "links" : "\(value.text.lowercased()) links"
            }
            return (isNegated ? "without " : "with ") + joined(names)
        case .date(let date):
            let dates = term.values.map { self.date(date, term.comparison, $0.text) }
            return (isNegated ? "not " : "") + joined(dates)
        case .tag: return names(term, isNegated, "tagged", "a tag")
        case .list: return names(term, isNegated, "in", "a list")
        case .priority:
            return (isNegated ? "not " : "") + "priority "
                + joined(term.values.map { self.priority(term.comparison, $0.text) })
        case .repetition:
            return joined(term.values.map { repetition($0.text.lowercased(), isNegated) })
        case .location:
            let texts = term.values.map { value -> String in
                let text = value.text.lowercased()
                if QueryCompiler.none.contains(text) { return "without a location" }
                if QueryCompiler.any.contains(text) { return "with a location" }
                return "at \(QueryCompiler.locationName(value.text))"
            }
            return (isNegated ? "not " : "") + joined(texts)
        case .relation(let ties):
            return (isNegated ? "not " : "")
                + joined(term.values.map { relation(ties, $0.text.lowercased()) })
        case .text, .number, .estimate:
            let comparison = self.comparison(term.comparison, field.kind)
            return (isNegated ? "not " : "")
                + "\(field.name)\(comparison) \(joined(term.values.map { self.value($0.text, field.kind) }))"
        }
    }

    private func joined(_ texts: [String]) -> String { texts.joined(separator: " or ") }

    private func value(_ text: String, _ kind: QueryField.Kind) -> String {
        if case .estimate = kind {
            if QueryCompiler.none.contains(text.lowercased()) { return "none" }
            return Estimate.seconds(text).map { Estimate.text(seconds: $0) } ?? text
        }
        if case .number = kind { return text }
        return "“\(text)”"
    }

    private func comparison(_ comparison: QueryComparison, _ kind: QueryField.Kind) -> String {
        switch comparison {
        case .fits: if case .text = kind { " has" } else { "" }
        case .equal, .notEqual: if case .text = kind { " is" } else { "" }
        case .less: " under"
        case .lessOrEqual: " up to"
        case .greater: " over"
        case .greaterOrEqual: " from"
        case .pattern: " matches"
        }
    }

    private func names(
        _ term: QueryTerm,
        _ isNegated: Bool,
        _ verb: String,
        _ thing: String
    ) -> String {
        let texts = term.values.map { value -> String in
            let text = value.text.lowercased()
            if QueryCompiler.none.contains(text) { return "without \(thing)" }
            if QueryCompiler.any.contains(text) { return "with \(thing)" }
            if text == "inbox", verb == "in" { return "in the inbox" }
            let name =
                verb == "in"
                ? ListPath.string(ListPath.parse(value.text)) : QueryCompiler.tagName(value.text)
            return "\(verb) \(name)"
        }
        return (isNegated ? "not " : "") + joined(texts)
    }

    private func priority(_ comparison: QueryComparison, _ value: String) -> String {
        switch comparison {
        case .less: "under \(value)"
        case .lessOrEqual: "\(value) or lower"
        case .greater: "over \(value)"
        case .greaterOrEqual: "\(value) or higher"
        default: value
        }
    }

    private func repetition(_ value: String, _ isNegated: Bool) -> String {
        switch QueryRepetition(rawValue: value) {
        case .any: isNegated ? "not repeating" : "repeating"
        case .none?: isNegated ? "repeating" : "not repeating"
        default: "\(isNegated ? "not " : "")repeating by the \(value)"
        }
    }

    private func relation(_ ties: QueryTies, _ value: String) -> String {
        let verb = ties == .waits ? "waits for" : "blocks"
        if QueryCompiler.none.contains(value) { return "\(verb) nothing" }
        return QueryCompiler.any.contains(value) ? "\(verb) something" : "\(verb) \(value)"
    }

    private func state(_ value: String, _ isNegated: Bool) -> String {
        guard let state = QueryState(rawValue: value) else { return value }
        let (text, opposite): (String, String?) =
            switch state {
            case .done: ("done", "open")
            case .open: ("open", "done")
            case .trashed: ("in the trash", "not in the trash")
            case .task: ("a task", "a note")
            case .note: ("a note", "a task")
            case .subtask: ("a subtask", nil)
            default: (value, nil)
            }
        return isNegated ? opposite ?? "not \(text)" : text
    }

    private func name(ofPresence value: String) -> String {
        switch QueryPresence(rawValue: value) {
        case .due: "a due date"
        case .start: "a start date"
        case .list: "a list"
        case .parent: "a parent"
        case .estimate: "an estimate"
        case .reminder: "a reminder"
        case .location: "a location"
        default: value
        }
    }

    // MARK: Dates

    private func date(
        _ date: QueryDateField,
        _ comparison: QueryComparison,
        _ value: String
    ) -> String {
        let verb =
            switch date {
            case .due: "due"
            case .start: "starts"
            case .reminder: "reminded"
            case .created: "created"
            case .modified: "changed"
            case .completed: "done"
            case .trashed: "put in the trash"
            case .reviewed: "reviewed"
            }
        if QueryCompiler.none.contains(value.lowercased()) {
            return date == .due ? "without due date" : "not \(verb)"
        }
        if QueryCompiler.any.contains(value.lowercased()) {
            return date == .due ? "with a due date" : verb
        }
        let dates = QueryDates(clock)
        if let dots = value.firstRange(of: "..") {
            let ends = [value[..<dots.lowerBound], value[dots.upperBound...]].map(String.init)
            let from = ends[0].isEmpty ? "" : " from \(span(ends[0], date, dates))"
            let until = ends[1].isEmpty ? "" : " until \(span(ends[1], date, dates))"
            return verb + from + until
        }
        if let amount = try? dates.span(value, looksBack: date.looksBack), amount.isAmount,
            comparison == .less, let length = length(value)
        {
            return "\(verb) within \(date.looksBack ? "the last " : "")\(length)"
        }
        let span = span(value, date, dates)
        let isAge =
            date.looksBack
            && ((try? dates.span(value, looksBack: true))?.isAmount ?? false)
        return switch comparison {
        case .less: "\(verb) \(isAge ? "after" : "before") \(span)"
        case .lessOrEqual: "\(verb) \(isAge ? "from" : "by") \(span)"
        case .greater: "\(verb) \(isAge ? "before" : "after") \(span)"
        case .greaterOrEqual: "\(verb) \(isAge ? "by" : "from") \(span)"
        default: "\(verb) \(span)"
        }
    }

    /// `7 days`, for `7d`.
    private func length(_ value: String) -> String? {
        let digits = value.prefix { $0.isNumber }
        guard let unit = value.dropFirst(digits.count).first, let number = Int(digits) else {
            return nil
        }
        let rest = value.dropFirst(digits.count).lowercased()
        let name =
            switch unit.lowercased() {
            case "d": "day"
            case "w": "week"
            case "q": "quarter"
            case "y": "year"
            case "h": "hour"
            default: rest.hasPrefix("min") ? "minute" : "month"
            }
        return number == 1 ? "1 \(name)" : "\(number) \(name)s"
    }

    private func span(_ value: String, _ date: QueryDateField, _ dates: QueryDates) -> String {
        guard let span = try? dates.span(value, looksBack: date.looksBack) else { return value }
        let format = DateFormat(context: clock)
        switch (span.first, span.end) {
        case (.day(let first), .day(let end)):
            if end == first.adding(days: 1) {
                let distance = first.number - clock.today.number
                return abs(distance) <= 1
                    ? format.relative(first) : format.absolute(DueDate(day: first))
            }
            return period(first, end, format)
        case (.moment(let moment), _):
            return value.lowercased() == "now"
                ? "now" : format.absolute(DueDate(moment: moment))
        default: return value
        }
    }

    private func period(_ first: Day, _ end: Day, _ format: DateFormat) -> String {
        let last = end.adding(days: -1)
        if first == first.firstOfMonth, last == first.lastOfMonth {
            return "\(Day.name(ofMonth: first.month)) \(first.year)"
        }
        if first.month == 1, first.day == 1, end == first.adding(months: 12) {
            return "\(first.year)"
        }
        let days = [first, last].map { format.absolute(DueDate(day: $0)) }
        return days.joined(separator: " to ")
    }
}
