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
        case .not(.text(let text)): localized("without “\(text.text)”")
        case .not(.term(let term)): self.term(term, isNegated: true)
        case .not(let inner): localized("not (\(text(inner)))")
        case .and(let parts):
            parts.map { part in
                if case .or = part { "(\(text(part)))" } else { text(part) }
            }.joined(separator: ", ")
        case .or(let parts):
            parts.map { part in
                if case .and = part { "(\(text(part)))" } else { text(part) }
            }.joined(separator: " \(localized("or")) ")
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
            return (isNegated ? localized("not ") : "") + joined(states)
        case .presence:
            let names = term.values.map { self.name(ofPresence: $0.text.lowercased()) }
            return (isNegated ? localized("without ") : localized("with ")) + joined(names)
        case .links:
            let names = term.values.map { value in
                value.text.lowercased() == "any"
                    ? localized("links") : localized("\(value.text.lowercased()) links")
            }
            return (isNegated ? localized("without ") : localized("with ")) + joined(names)
        case .date(let date):
            let dates = term.values.map { self.date(date, term.comparison, $0.text) }
            return (isNegated ? localized("not ") : "") + joined(dates)
        case .tag: return names(term, isNegated, "tagged", localized("a tag"))
        case .list: return names(term, isNegated, "in", localized("a list"))
        case .priority:
            return (isNegated ? localized("not ") : "") + localized("priority ")
                + joined(term.values.map { self.priority(term.comparison, $0.text) })
        case .repetition:
            return joined(term.values.map { repetition($0.text.lowercased(), isNegated) })
        case .location:
            let texts = term.values.map { value -> String in
                let text = value.text.lowercased()
                if QueryCompiler.none.contains(text) { return localized("without a location") }
                if QueryCompiler.any.contains(text) { return localized("with a location") }
                return localized("at \(QueryCompiler.locationName(value.text))")
            }
            return (isNegated ? localized("not ") : "") + joined(texts)
        case .relation(let ties):
            return (isNegated ? localized("not ") : "")
                + joined(term.values.map { relation(ties, $0.text.lowercased()) })
        case .text, .number, .estimate:
            let comparison = self.comparison(term.comparison, field.kind)
            return (isNegated ? localized("not ") : "")
                + "\(field.name)\(comparison) \(joined(term.values.map { self.value($0.text, field.kind) }))"
        }
    }

    private func joined(_ texts: [String]) -> String {
        texts.joined(separator: " \(localized("or")) ")
    }

    private func value(_ text: String, _ kind: QueryField.Kind) -> String {
        if case .estimate = kind {
            if QueryCompiler.none.contains(text.lowercased()) { return localized("none") }
            return Estimate.seconds(text).map { Estimate.text(seconds: $0) } ?? text
        }
        if case .number = kind { return text }
        return "“\(text)”"
    }

    private func comparison(_ comparison: QueryComparison, _ kind: QueryField.Kind) -> String {
        switch comparison {
        case .fits: if case .text = kind { localized(" has") } else { "" }
        case .equal, .notEqual: if case .text = kind { localized(" is") } else { "" }
        case .less: localized(" under")
        case .lessOrEqual: localized(" up to")
        case .greater: localized(" over")
        case .greaterOrEqual: localized(" from")
        case .pattern: localized(" matches")
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
            if QueryCompiler.none.contains(text) { return localized("without \(thing)") }
            if QueryCompiler.any.contains(text) { return localized("with \(thing)") }
            if text == "inbox", verb == "in" { return localized("in the inbox") }
            let name =
                verb == "in"
                ? ListPath.string(ListPath.parse(value.text)) : QueryCompiler.tagName(value.text)
            return "\(Phrase(stringLiteral: verb)) \(name)"
        }
        return (isNegated ? localized("not ") : "") + joined(texts)
    }

    private func priority(_ comparison: QueryComparison, _ value: String) -> String {
        switch comparison {
        case .less: localized("under \(value)")
        case .lessOrEqual: localized("\(value) or lower")
        case .greater: localized("over \(value)")
        case .greaterOrEqual: localized("\(value) or higher")
        default: value
        }
    }

    private func repetition(_ value: String, _ isNegated: Bool) -> String {
        switch QueryRepetition(rawValue: value) {
        case .any: isNegated ? localized("not repeating") : localized("repeating")
        case .none?: isNegated ? localized("repeating") : localized("not repeating")
        default: (isNegated ? localized("not ") : "") + localized("repeating by the \(value)")
        }
    }

    private func relation(_ ties: QueryTies, _ value: String) -> String {
        let verb = ties == .waits ? localized("waits for") : localized("blocks")
        if QueryCompiler.none.contains(value) { return localized("\(verb) nothing") }
        return QueryCompiler.any.contains(value)
            ? localized("\(verb) something") : "\(verb) \(value)"
    }

    private func state(_ value: String, _ isNegated: Bool) -> String {
        guard let state = QueryState(rawValue: value) else { return value }
        let (text, opposite): (String, String?) =
            switch state {
            case .done: (localized("done"), localized("open", in: "state"))
            case .open: (localized("open", in: "state"), localized("done"))
            case .trashed: (localized("in the trash"), localized("not in the trash"))
            case .task: (localized("a task"), localized("a note"))
            case .note: (localized("a note"), localized("a task"))
            case .subtask: (localized("a subtask"), nil)
            case .conflict: (localized("in conflict"), nil)
            default: (value, nil)
            }
        return isNegated ? opposite ?? localized("not \(text)") : text
    }

    private func name(ofPresence value: String) -> String {
        switch QueryPresence(rawValue: value) {
        case .due: localized("a due date")
        case .start: localized("a start date")
        case .list: localized("a list")
        case .parent: localized("a parent")
        case .estimate: localized("an estimate")
        case .reminder: localized("a reminder")
        case .location: localized("a location")
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
            case .due: localized("due")
            case .start: localized("starts")
            case .reminder: localized("reminded")
            case .created: localized("created")
            case .modified: localized("changed")
            case .completed: localized("done")
            case .trashed: localized("put in the trash")
            case .reviewed: localized("reviewed")
            }
        if QueryCompiler.none.contains(value.lowercased()) {
            return date == .due ? localized("without due date") : localized("not \(verb)")
        }
        if QueryCompiler.any.contains(value.lowercased()) {
            return date == .due ? localized("with a due date") : verb
        }
        let dates = QueryDates(clock)
        if let dots = value.firstRange(of: "..") {
            let ends = [value[..<dots.lowerBound], value[dots.upperBound...]].map(String.init)
            let from = ends[0].isEmpty ? "" : localized(" from \(span(ends[0], date, dates))")
            let until = ends[1].isEmpty ? "" : localized(" until \(span(ends[1], date, dates))")
            return verb + from + until
        }
        if let amount = try? dates.span(value, looksBack: date.looksBack), amount.isAmount,
            comparison == .less, let length = length(value)
        {
            return date.looksBack
                ? localized("\(verb) within the last \(length)")
                : localized("\(verb) within \(length)")
        }
        let span = span(value, date, dates)
        let isAge =
            date.looksBack
            && ((try? dates.span(value, looksBack: true))?.isAmount ?? false)
        return switch comparison {
        case .less: isAge ? localized("\(verb) after \(span)") : localized("\(verb) before \(span)")
        case .lessOrEqual:
            isAge ? localized("\(verb) from \(span)") : localized("\(verb) by \(span)")
        case .greater:
            isAge ? localized("\(verb) before \(span)") : localized("\(verb) after \(span)")
        case .greaterOrEqual:
            isAge ? localized("\(verb) by \(span)") : localized("\(verb) from \(span)")
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
        return Phrase(number, name).text
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
                ? localized("now") : format.absolute(DueDate(moment: moment))
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
        return days.joined(separator: " \(localized("to")) ")
    }
}
