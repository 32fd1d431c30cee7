/// The rule of a zone for all years after its recorded changes: a POSIX `TZ` text such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneTail: Hashable, Sendable {
    /// The moment in a year at which the clock changes.
    struct Turn: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// `Jn`: day 1…365, 29 February never counted.
            case julian(Int)
            /// `n`: day 0…365, 29 February counted.
            case ordinal(Int)
            /// `Mm.w.d`: the w-th weekday d (0 = Sunday) of month m; week 5 is the last.
            case weekday(month: Int, week: Int, day: Int)
        }
        var day: Day
        /// Seconds after midnight, by the clock before the change.
        var second: Int

        /// Local seconds since 1970 of the change in a year.
        func local(in year: Int) -> Int {
            let newYear = CivilTime.Day(year: year, month: 1, day: 1)?.number ?? 0
            let number: Int
            switch day {
            case .julian(let index):
                let leap = CivilTime.Day.isLeap(year) && index >= 60
                number = newYear + index - (leap ? 0 : 1)
            case .ordinal(let index):
                number = newYear + index
            case .weekday(let month, let week, let weekday):
                let first = CivilTime.Day(year: year, month: month, day: 1)?.number ?? newYear
                let weekdayOfFirst = ((first + 4) % 7 + 7) % 7
                var day = (weekday - weekdayOfFirst + 7) % 7 + (week - 1) * 7
                if day >= CivilTime.Day.length(ofMonth: month, year: year) { day -= 7 }
                number = first + day
            }
            return number * 86_400 + second
        }
    }

    /// Seconds east of UTC in standard time.
    var standard: Int
    /// Seconds east of UTC in summer time and the two changes; `nil` without summer time.
    var summer: Summer?

    struct Summer: Hashable, Sendable {
        var offset: Int
        var start: Turn
        var end: Turn
    }

    func offset(at moment: Int) -> Int {
        guard let summer else { return standard }
        let local = moment + standard
        let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let year = max(1, min(9999, Day(number: day).year))
        let start = summer.start.local(in: year) - standard
        let end = summer.end.local(in: year) - summer.offset
        let isSummer =
            start < end ? moment >= start && moment < end : moment >= start || moment < end
        return isSummer ? summer.offset : standard
    }

    /// `nil` if the text does not follow the POSIX rule.
    init?(_ text: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard reader.name(), let west = reader.clock(signed: true) else { return nil }
        standard = -west
        summer = nil
        if reader.isAtEnd { return }
        guard reader.name() else { return nil }
        var offset = standard + 3600
        if !reader.isAtEnd, !reader.take(",", consume: false) {
            guard let west = reader.clock(signed: true) else { return nil }
            offset = -west
        }
        if reader.isAtEnd {
            // Without changes, the usual default is the rule of the United States.
            summer = Summer(
                offset: offset,
                start: Turn(day: .weekday(month: 3, week: 2, day: 0), second: 7200),
                end: Turn(day: .weekday(month: 11, week: 1, day: 0), second: 7200)
            )
            return
        }
        guard reader.take(","), let start = reader.turn(), reader.take(","),
            let end = reader.turn(), reader.isAtEnd
        else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { at >= bytes.count }

        mutating func take(_ scalar: Unicode.Scalar, consume: Bool = true) -> Bool {
            guard at < bytes.count, bytes[at] == UInt8(ascii: scalar) else { return false }
            if consume { at += 1 }
            return true
        }

        /// A zone's abbreviation: letters, or anything in angle brackets.
        mutating func name() -> Bool {
            if take("<") {
                while at < bytes.count, bytes[at] != UInt8(ascii: ">") { at += 1 }
                return take(">")
            }
            let start = at
            while at < bytes.count, (bytes[at] | 0x20) >= 97, (bytes[at] | 0x20) <= 122 { at += 1 }
            return at - start >= 3
        }

        mutating func number(upTo limit: Int) -> Int? {
            let start = at
            var value = 0
            while at < bytes.count, bytes[at] >= 48, bytes[at] <= 57, at - start < 4 {
                value = value * 10 + Int(bytes[at] - 48)
                at += 1
            }
            return at > start && value <= limit ? value : nil
        }

        /// `[+-]hh[:mm[:ss]]`, in seconds.
        mutating func clock(signed: Bool) -> Int? {
            let isNegative = signed && take("-")
            if signed, !isNegative { _ = take("+") }
            guard let hours = number(upTo: 167) else { return nil }
            var seconds = hours * 3600
            if take(":") {
                guard let minutes = number(upTo: 59) else { return nil }
                seconds += minutes * 60
                if take(":") {
                    guard let rest = number(upTo: 59) else { return nil }
                    seconds += rest
                }
            }
            return isNegative ? -seconds : seconds
        }

        mutating func turn() -> Turn? {
            let day: Turn.Day
            if take("M") {
                guard let month = number(upTo: 12), month > 0, take("."),
                    let week = number(upTo: 5), week > 0, take("."), let weekday = number(upTo: 6)
                else { return nil }
                day = .weekday(month: month, week: week, day: weekday)
            } else if take("J") {
                guard let index = number(upTo: 365), index > 0 else { return nil }
                day = .julian(index)
            } else {
                guard let index = number(upTo: 365) else { return nil }
                day = .ordinal(index)
            }
            guard take("/") else { return Turn(day: day, second: 7200) }
            guard let second = clock(signed: true) else { return nil }
            return Turn(day: day, second: second)
        }
    }
}
