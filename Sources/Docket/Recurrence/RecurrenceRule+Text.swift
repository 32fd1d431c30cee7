import CivilTime

/// The text form of RFC 5545: `FREQ=MONTHLY;BYDAY=-1FR;COUNT=5`.
extension RecurrenceRule: CustomStringConvertible {
    /// Reads a rule, with or without `RRULE:` before it, in small or capital letters.
    ///
    /// - Throws: ``RecurrenceError``, one sentence that names the part.
    /// - Complexity: linear in the length of the text.
    public init(_ text: some StringProtocol) throws(RecurrenceError) {
        var body = text.trimmed[...]
        if body.prefix(6).uppercased() == "RRULE:" { body = body.dropFirst(6) }
        var values: [String: Substring] = [:]
        for piece in body.split(separator: ";") {
            guard let sign = piece.firstIndex(of: "=") else {
                throw RecurrenceError(
                    "\"\(piece.shortened)\" is not a part of a rule; a part looks like "
                        + "FREQ=WEEKLY."
                )
            }
            let name = piece[..<sign].trimmed.uppercased()
            guard RecurrenceRule.names.contains(name) else {
                throw RecurrenceError(
                    "\"\(name[...].shortened)\" is not a part of a rule; the parts are "
                        + "\(RecurrenceRule.names.joined(separator: ", "))."
                )
            }
            guard values[name] == nil else {
                throw RecurrenceError("\(name) is given twice; a rule has each part once.")
            }
            values[name] = piece[piece.index(after: sign)...].trimmed[...]
        }
        guard let word = values["FREQ"] else {
            throw RecurrenceError("A rule needs a frequency, such as FREQ=WEEKLY.")
        }
        let upper = word.uppercased()
        guard let found = Frequency.allCases.first(where: { RecurrenceRule.word($0) == upper })
        else {
            throw RecurrenceError(
                "FREQ=\(word.shortened) is not a frequency; use YEARLY, MONTHLY, WEEKLY, DAILY, "
                    + "HOURLY or MINUTELY."
            )
        }
        var parts = Parts(found)
        if let value = values["INTERVAL"] {
            parts.interval = try RecurrenceRule.number(value, in: "INTERVAL")
        }
        parts.end = try RecurrenceRule.end(count: values["COUNT"], until: values["UNTIL"])
        if let value = values["WKST"] { parts.weekStart = try RecurrenceRule.weekday(value) }
        if let value = values["BYDAY"] {
            for item in try RecurrenceRule.items(value, of: "BYDAY") {
                parts.weekdays.append(try RecurrenceRule.weekdays(item))
            }
        }
        for (name, path) in RecurrenceRule.numberLists {
            guard let value = values[name] else { continue }
            for item in try RecurrenceRule.items(value, of: name) {
                parts[keyPath: path].append(try RecurrenceRule.number(item, in: name))
            }
        }
        try self.init(parts)
    }

    private static let names = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY",
        "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND", "BYSETPOS", "WKST",
    ]

    private static var numberLists: [(String, WritableKeyPath<Parts, [Int]>)] {
        [
            ("BYMONTH", \.months), ("BYWEEKNO", \.weekNumbers), ("BYYEARDAY", \.yearDays),
            ("BYMONTHDAY", \.monthDays), ("BYHOUR", \.hours), ("BYMINUTE", \.minutes),
            ("BYSECOND", \.seconds), ("BYSETPOS", \.positions),
        ]
    }

    private static func items(
        _ value: Substring,
        of name: String
    ) throws(RecurrenceError) -> [Substring] {
        let items = value.split(separator: ",", omittingEmptySubsequences: false)
        guard items.allSatisfy({ !$0.trimmed.isEmpty }) else {
            throw RecurrenceError(
                "\(name)=\(value.shortened) has an empty place; write values with a comma between."
            )
        }
        return items
    }

    private static func number(_ text: Substring, in name: String) throws(RecurrenceError) -> Int {
        let digits = text.trimmed
        // At most ten digits: what is longer is out of every range.
        guard digits.utf8.count <= 11, let number = Int(digits) else {
            throw RecurrenceError("\"\(text.shortened)\" in \(name) is not a number.")
        }
        return number
    }

    private static func end(count: Substring?, until: Substring?) throws(RecurrenceError) -> End {
        switch (count, until) {
        case (nil, nil): return .never
        case (.some, .some):
            throw RecurrenceError("A rule ends by COUNT or by UNTIL; it cannot have both.")
        case (.some(let count), nil): return .count(try number(count, in: "COUNT"))
        case (nil, .some(let until)):
            switch try RecurrenceTime(until, in: "UNTIL") {
            case .day(let day): return .until(.day(day))
            case .local(let time): return .until(.local(time))
            case .utc(let time): return .until(.utc(time))
            }
        }
    }

    private static func weekday(_ text: Substring) throws(RecurrenceError) -> Weekday {
        let upper = text.trimmed.uppercased()
        guard let found = Weekday.allCases.first(where: { word($0) == upper }) else {
            throw RecurrenceError(
                "\"\(text.shortened)\" is not a day of the week; use MO, TU, WE, TH, FR, SA or SU."
            )
        }
        return found
    }

    private static func weekdays(_ text: Substring) throws(RecurrenceError) -> Weekdays {
        let item = text.trimmed[...]
        let weekday = try weekday(item.suffix(2))
        let ordinal = item.dropLast(2)
        return Weekdays(weekday, ordinal: ordinal.isEmpty ? nil : try number(ordinal, in: "BYDAY"))
    }

    // MARK: Writing

    /// The canonical text: each part once, in a fixed order, without parts that are the default.
    public var description: String {
        var text = "FREQ=\(RecurrenceRule.word(parts.frequency))"
        if parts.interval != 1 { text += ";INTERVAL=\(parts.interval)" }
        switch parts.end {
        case .never: break
        case .count(let count): text += ";COUNT=\(count)"
        case .until(.day(let day)): text += ";UNTIL=\(RecurrenceTime.day(day))"
        case .until(.local(let time)): text += ";UNTIL=\(RecurrenceTime.local(time))"
        case .until(.utc(let time)): text += ";UNTIL=\(RecurrenceTime.utc(time))"
        }
        func append(_ name: String, _ items: [String]) {
            if !items.isEmpty { text += ";\(name)=\(items.joined(separator: ","))" }
        }
        func append(_ name: String, _ numbers: [Int]) { append(name, numbers.map { "\($0)" }) }
        append("BYMONTH", parts.months)
        append("BYWEEKNO", parts.weekNumbers)
        append("BYYEARDAY", parts.yearDays)
        append("BYMONTHDAY", parts.monthDays)
        append("BYDAY", parts.weekdays.map(RecurrenceRule.word))
        append("BYHOUR", parts.hours)
        append("BYMINUTE", parts.minutes)
        append("BYSECOND", parts.seconds)
        append("BYSETPOS", parts.positions)
        if parts.weekStart != .monday { text += ";WKST=\(RecurrenceRule.word(parts.weekStart))" }
        return text
    }

    static func word(_ frequency: Frequency) -> String {
        switch frequency {
        case .yearly: "YEARLY"
        case .monthly: "MONTHLY"
        case .weekly: "WEEKLY"
        case .daily: "DAILY"
        case .hourly: "HOURLY"
        case .minutely: "MINUTELY"
        case .secondly: "SECONDLY"
        }
    }

    static func word(_ weekday: Weekday) -> String {
        switch weekday {
        case .monday: "MO"
        case .tuesday: "TU"
        case .wednesday: "WE"
        case .thursday: "TH"
        case .friday: "FR"
        case .saturday: "SA"
        case .sunday: "SU"
        }
    }

    static func word(_ weekdays: Weekdays) -> String {
        (weekdays.ordinal.map { "\($0)" } ?? "") + word(weekdays.weekday)
    }
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmed: String {
        let body = drop { $0 == " " || $0 == "\t" }
        guard let last = body.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(body[...last])
    }

    /// At most 40 characters, for a message.
    var shortened: String { prefix(41).count > 40 ? "\(prefix(39))…" : String(self) }
}
