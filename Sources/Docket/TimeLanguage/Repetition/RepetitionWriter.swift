public import CivilTime
import Recurrence

/// Writes a rule in words that ``RepetitionReader`` reads as the same rule.
struct RepetitionWriter {
    let language: Language
    private let words: RepetitionWords
    private let table: WordTable

    init(_ language: Language) {
        self.language = language
        words = .of(language)
        table = language.vocabulary.table
    }

    func text(_ rule: RecurrenceRule, isFromCompletion: Bool) -> String {
        let parts = rule.parts.saidMonthDays ?? rule.parts
        var clauses = days(parts)
        // Words mean the last day of a shorter month.
        if parts == rule.parts, parts.onLastDays() != parts {
            clauses.append(clause(.existing, ""))
        }
        var head = words.periods[parts.frequency.rawValue].one
        if parts.interval != 1 {
            let many = words.periods[parts.frequency.rawValue].many
            head = many.replacing("#", with: "\(parts.interval)")
        } else if parts.frequency == .weekly, !parts.weekdays.isEmpty {
            // `every Monday` instead of `every week on Monday`.
            clauses.removeFirst()
            head =
                isWorkweek(parts.weekdays)
                ? words.everyWorkday
                : words.everyDays.replacing("#", with: list(parts.weekdays.map(name)))
        }
        if isFromCompletion, let space = head.firstIndex(of: " ") {
            head.insert("!", at: space)
        }
        clauses += times(parts)
        if !parts.positions.isEmpty {
            clauses.append(clause(.positions, ordinals(parts.positions)))
        }
        switch parts.end {
        case .never: break
        case .count(let count): clauses.append(clause(.count, "\(count)", isMany: count != 1))
        case .until(let limit): clauses.append(clause(.until, date(limit)))
        }
        if parts.weekStart != .monday {
            clauses.append(clause(.weekStart, name(parts.weekStart)))
        }
        return ([head] + clauses).joined(separator: " ")
    }

    private func clause(
        _ clause: RepetitionWords.Clause,
        _ values: String,
        isMany: Bool = false,
        isFromEnd: Bool = false
    ) -> String {
        let forms = words.written[clause] ?? ["#"]
        let index = isFromEnd && forms.count > 2 ? 2 : isMany && forms.count > 1 ? 1 : 0
        return forms[index].replacing("#", with: values)
    }

    // MARK: Days

    /// Which days, then in which weeks and months; a second condition on days begins with `if`.
    private func days(_ parts: RecurrenceRule.Parts) -> [String] {
        if parts.frequency == .yearly, parts.months.count == 1, parts.monthDays.count == 1,
            let month = parts.months.first, let day = parts.monthDays.first, day > 0,
            parts.weekdays.isEmpty, parts.yearDays.isEmpty, parts.weekNumbers.isEmpty
        {
            return [clause(.date, "\(day)\(words.dayEnding) \(name(ofMonth: month))")]
        }
        var conditions: [String] = []
        if !parts.weekdays.isEmpty {
            conditions.append(clause(.weekdays, names(parts.weekdays)))
        }
        if !parts.monthDays.isEmpty {
            let isFromEnd = parts.monthDays.contains { $0 < 0 }
            conditions.append(clause(.monthDays, ordinals(parts.monthDays), isFromEnd: isFromEnd))
        }
        if !parts.yearDays.isEmpty {
            conditions.append(clause(.yearDays, ordinals(parts.yearDays)))
        }
        for index in conditions.indices.dropFirst() {
            conditions[index] = "\(words.condition) \(conditions[index])"
        }
        if !parts.weekNumbers.isEmpty {
            let isFromEnd = parts.weekNumbers.contains { $0 < 0 }
            let values =
                isFromEnd
                ? ordinals(parts.weekNumbers) : list(parts.weekNumbers.map { "\($0)" })
            conditions.append(
                clause(
                    .weekNumbers,
                    values,
                    isMany: parts.weekNumbers.count > 1,
                    isFromEnd: isFromEnd
                )
            )
        }
        if !parts.months.isEmpty {
            conditions.append(clause(.months, list(parts.months.map { name(ofMonth: $0) })))
        }
        return conditions
    }

    private func isWorkweek(_ days: [RecurrenceRule.Weekdays]) -> Bool {
        days == RepetitionReader.workweek
    }

    /// `Monday, the 1st Tuesday and the 2nd and last Friday`.
    private func names(_ days: [RecurrenceRule.Weekdays]) -> String {
        if isWorkweek(days) { return words.workdays }
        let plain = days.filter { $0.ordinal == nil }.map(name)
        let numbered = Weekday.allCases.compactMap { weekday -> String? in
            let numbers = days.filter { $0.weekday == weekday }.compactMap(\.ordinal)
            if numbers.isEmpty { return nil }
            return "\(words.article)\(ordinals(numbers)) \(name(weekday))"
        }
        return list(plain + numbered)
    }

    private func name(_ day: RecurrenceRule.Weekdays) -> String { name(day.weekday) }

    private func name(_ weekday: Weekday) -> String {
        RepetitionWriter.first(table.weekdays[weekday.rawValue - 1])
    }

    private func name(ofMonth month: Int) -> String {
        RepetitionWriter.first(table.months[month - 1])
    }

    /// The first of several names, with a capital.
    private static func first(_ names: String) -> String {
        let name = names.prefix { $0 != " " }
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    // MARK: Times

    private func times(_ parts: RecurrenceRule.Parts) -> [String] {
        var clauses: [String] = []
        let most = 8
        if !parts.hours.isEmpty, !parts.minutes.isEmpty,
            parts.hours.count * parts.minutes.count <= most
        {
            let clocks = parts.hours.flatMap { hour in
                parts.minutes.map { RepetitionWriter.clock(hour * 3600 + $0 * 60) }
            }
            clauses.append(clause(.times, list(clocks)))
        } else {
            if !parts.hours.isEmpty { clauses.append(numbers(.hours, parts.hours)) }
            if !parts.minutes.isEmpty { clauses.append(numbers(.minutes, parts.minutes)) }
        }
        if !parts.seconds.isEmpty { clauses.append(numbers(.seconds, parts.seconds)) }
        return clauses
    }

    private func numbers(_ kind: RepetitionWords.Clause, _ numbers: [Int]) -> String {
        clause(kind, list(numbers.map { "\($0)" }), isMany: numbers.count > 1)
    }

    /// `9:00`, `05:00`: an hour under 7 has its zero, because alone it means the afternoon.
    private static func clock(_ second: Int) -> String {
        DateFormat.clock(second)
    }

    private func date(_ limit: RecurrenceRule.Limit) -> String {
        switch limit {
        case .day(let day): return date(day)
        case .local(let time): return "\(date(time.day)) \(exact(time.second))"
        case .utc(let time): return "\(date(time.day)) \(exact(time.second)) UTC"
        }
    }

    private func date(_ day: Day) -> String {
        let (year, month, dayOfMonth) = day.parts
        let digits = "\(year)"
        let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return "\(dayOfMonth)\(words.dayEnding) \(name(ofMonth: month)) \(padded)"
    }

    private func exact(_ second: Int) -> String {
        let rest = second % 60
        let text = RepetitionWriter.clock(second)
        return rest == 0 ? text : "\(text):\(rest < 10 ? "0" : "")\(rest)"
    }

    // MARK: Lists

    private func list(_ items: [String]) -> String {
        guard items.count > 1, let last = items.last else { return items.first ?? "" }
        return "\(items.dropLast().joined(separator: ", ")) \(words.and) \(last)"
    }

    private func ordinals(_ numbers: [Int]) -> String { list(numbers.map(ordinal)) }

    /// `1st`, `22nd`, `last`, `2nd last`.
    private func ordinal(_ number: Int) -> String {
        if number == -1 { return words.last }
        if number < 0 { return "\(ordinal(-number)) \(words.last)" }
        let endings = words.ordinalEndings
        let isTeen = (11...13).contains(number % 100)
        let index = isTeen || number % 10 >= endings.count ? 0 : number % 10
        return "\(number)\(endings[index])"
    }
}

extension Repetition {
    /// The repetition in words, which are read as the same repetition, up to its start.
    ///
    /// Every rule has words, also those that people would not say: `every 3 years on the 1st, 100th
    /// and 200th day of the year`.
    public func words(_ language: Language = .english) -> String {
        RepetitionWriter(language).text(rule, isFromCompletion: isFromCompletion)
    }
}
