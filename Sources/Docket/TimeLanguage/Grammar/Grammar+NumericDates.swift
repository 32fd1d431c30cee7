import CivilTime

extension Grammar {
    /// Dates of digits: `2026-11-22`, `22.11.`, `11/22/26`, `20261122`, `2016 10 16`.
    func addNumericDates(at index: Int, to found: inout [Piece]) {
        guard let first = token(index), first.isNumber else { return }
        if first.digits == 8 {
            let year = first.value / 10_000
            if (1900...2199).contains(year), endsWord(index + 1) {
                let (month, day) = (first.value / 100 % 100, first.value % 100)
                add(year, month, day, [.digits, .countsTo24], end: index + 1, to: &found)
            }
            addISOTime(after: index + 1, first.value, to: &found)
            return
        }
        if first.digits == 4, let month = token(index + 1), month.isNumber, month.hasSpace,
            let day = token(index + 2), day.isNumber, day.hasSpace, month.digits == 2,
            day.digits == 2, (1900...2199).contains(first.value), endsWord(index + 3),
            Day(year: first.value, month: month.value, day: day.value) != nil
        {
            add(first.value, month.value, day.value, .digits, end: index + 3, to: &found)
            return
        }
        guard let mark = separator(index + 1), first.digits <= 4, first.digits != 3,
            let second = number(index + 2), second.digits <= 2
        else { return }
        let next = index + 3
        if separator(next) == mark, let third = number(next + 1) {
            addThree(first, second, third, mark, end: next + 2, to: &found)
        } else if mark != 46, first.digits <= 2, isMark(next, ","), isGlued(next),
            let year = number(next + 1), year.digits == 4
        {
            // `08/12,2015`
            addThree(first, second, year, mark, end: next + 2, to: &found)
        } else if endsWord(next) || (mark == 46 && isMark(next, "."))
            || isBeforeTwin(next, mark, numbers: 2)
        {
            addTwo(first, second, mark, end: next, to: &found)
        }
    }

    /// Whether the second date of `12/24-12/26` follows, which has as many numbers.
    private func isBeforeTwin(_ index: Int, _ mark: UInt8, numbers: Int) -> Bool {
        guard mark == 47, isMark(index, "-"), number(index + 1) != nil else { return false }
        let end = index + 2 * numbers
        return endsWord(end)
            && stride(from: index + 2, to: end, by: 2).allSatisfy {
                separator($0) == mark && number($0 + 1) != nil
            }
    }

    /// `.`, `/` or `-` between digits.
    private func separator(_ index: Int) -> UInt8? {
        guard let token = token(index), !token.hasSpace, case .mark(let mark) = token.kind,
            mark == 46 || mark == 47 || mark == 45
        else { return nil }
        return mark
    }

    private func number(_ index: Int) -> Token? {
        guard let token = token(index), token.isNumber, !token.hasSpace else { return nil }
        return token
    }

    /// A whole date; `isOpen` if month and day may be the other way round.
    func add(
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ trait: Reading.Traits,
        end: Int,
        isOpen: Bool = false,
        to found: inout [Piece]
    ) {
        var reading = Reading()
        (reading.year, reading.month, reading.day) = (year, month, day)
        reading.isOrderOpen = isOpen
        reading.traits = [.fullDate, trait]
        let exists =
            Day(year: year, month: month, day: day) != nil
            || isOpen && Day(year: year, month: day, day: month) != nil
        if !exists { reading.problem = Day.whyImpossible(year: year, month: month, day: day) }
        found.add(reading, end)
    }

    /// A year of four digits first or last, or of two digits last.
    private func addThree(
        _ first: Token,
        _ second: Token,
        _ third: Token,
        _ mark: UInt8,
        end: Int,
        to found: inout [Piece]
    ) {
        if first.digits == 4 {
            guard third.digits <= 2 else { return }
            if mark != 46 || endsWord(end) {
                let date = first.value * 10_000 + second.value * 100 + third.value
                addISOTime(after: end, date, to: &found)
                guard endsWord(end) else { return }
                let traits: Reading.Traits = [.digits, .countsTo24]
                add(first.value, second.value, third.value, traits, end: end, to: &found)
            }
            return
        }
        // `20-11-3345` is a number of something.
        guard third.digits == 4 || third.digits == 2, first.digits <= 2,
            third.digits == 2 || (1000...2999).contains(third.value),
            endsWord(end) || isBeforeTwin(end, mark, numbers: 3)
        else { return }
        let year = third.digits == 2 ? Grammar.century(third.value) : third.value
        if mark == 46 {
            // `10.31.1974` has one possible order.
            let isMonthFirst = second.value > 12 && first.value <= 12
            // `4.17.20` is a version.
            if isMonthFirst, third.digits == 2 { return }
            let (month, day) =
                isMonthFirst ? (first.value, second.value) : (second.value, first.value)
            let form: Reading.Traits = third.digits == 2 ? .point : .digits
            let traits = isMonthFirst ? form : form.union(.countsTo24)
            add(year, month, day, traits, end: end, to: &found)
            return
        }
        let isOpen = first.value <= 12 && second.value <= 12 && first.value != second.value
        let isDayFirst =
            first.value > 12 || (second.value <= 12 && isDayFirst(mark, third))
        let (day, month) =
            isDayFirst ? (first.value, second.value) : (second.value, first.value)
        add(year, month, day, .digits, end: end, isOpen: isOpen, to: &found)
    }

    /// Whether the day is first where both orders are possible.
    private func isDayFirst(_ mark: UInt8, _ year: Token?) -> Bool {
        if resolver.settings.dateOrder == .dayFirst { return true }
        // `22-11-2026` is the European form.
        return mark == 45 && year?.digits == 4
    }

    /// Two numbers with a mark: `11/22`, `7-6`, `22.11.`.
    private func addTwo(
        _ first: Token,
        _ second: Token,
        _ mark: UInt8,
        end: Int,
        to found: inout [Piece]
    ) {
        guard first.digits <= 2 else { return }
        var reading = Reading()
        var end = end
        let isSame = first.value == second.value
        if mark == 46 {
            let isLast = token(end + 1)?.hasSpace ?? true
            let hasPoint =
                isMark(end, ".") && isGlued(end) && (isLast || isMark(end + 1, "-"))
            // `5.12` may be in either order; `5.12.` is German.
            if hasPoint { end += 1 }
            reading.traits =
                hasPoint ? [.point, .twoNumbers, .named, .countsTo24] : [.point, .twoNumbers]
            let isMonthFirst = second.value > 12 && first.value <= 12 && !hasPoint
            (reading.day, reading.month) =
                isMonthFirst ? (second.value, first.value) : (first.value, second.value)
            guard second.digits <= 2, first.value >= 1, second.value >= 1 else { return }
            reading.isOrderOpen =
                !hasPoint && !isMonthFirst && second.value <= 12 && !isSame
                && first.value <= 12
            if !hasPoint, resolver.settings.dateOrder == .monthFirst, first.value <= 12,
                second.value <= 12
            {
                (reading.day, reading.month) = (second.value, first.value)
            }
        } else {
            reading.traits = .twoNumbers
            let isDayFirst =
                first.value > 12
                || (second.value <= 12 && resolver.settings.dateOrder == .dayFirst)
            (reading.day, reading.month) =
                isDayFirst ? (first.value, second.value) : (second.value, first.value)
            reading.isOrderOpen = first.value <= 12 && second.value <= 12 && !isSame
        }
        if let month = reading.month, let day = reading.day,
            Day(year: 2024, month: month, day: day) == nil
        {
            // `14-16` is a range, or a number.
            if mark == 45, !isField { return }
            reading.problem = Day.whyImpossible(year: nil, month: month, day: day)
        }
        found.add(reading, end)
    }

    // MARK: ISO 8601

    /// `T09:00[:30][Z|+01:00]` after a date of digits.
    private func addISOTime(after index: Int, _ date: Int, to found: inout [Piece]) {
        guard let letter = token(index), letter.key == "t", !letter.hasSpace,
            let hour = number(index + 1)
        else { return }
        var reading = Reading()
        (reading.year, reading.month, reading.day) = (date / 10_000, date / 100 % 100, date % 100)
        reading.traits = [.fullDate, .digits, .clock]
        var end = index + 2
        var clock = Clock(hour: hour.value, has24Hours: true)
        if hour.digits == 4 || hour.digits == 6 {
            let seconds = hour.digits == 6 ? hour.value % 100 : 0
            let minutes = hour.digits == 6 ? hour.value / 100 : hour.value
            clock = Clock(
                hour: minutes / 100,
                minute: minutes % 100,
                second: seconds,
                has24Hours: true
            )
        } else {
            guard hour.digits == 2, isMark(end, ":"), let minute = number(end + 1) else { return }
            clock.minute = minute.value
            end += 2
            if isMark(end, ":"), isGlued(end), let second = number(end + 1) {
                clock.second = second.value
                end += 2
            }
        }
        if isMark(end, "."), isGlued(end), number(end + 1) != nil { end += 2 }
        if let next = token(end), !next.hasSpace {
            if next.key == "z" {
                reading.zone = 0
                end += 1
            } else if isMark(end, "+") || isMark(end, "-"), let hours = number(end + 1) {
                var minutes =
                    hours.digits == 4
                    ? hours.value / 100 * 60 + hours.value % 100
                    : hours.value * 60
                let isWest = isMark(end, "-")
                end += 2
                if isMark(end, ":"), let rest = number(end + 1) {
                    minutes += rest.value
                    end += 2
                }
                guard minutes <= 24 * 60 else { return }
                reading.zone = isWest ? -minutes : minutes
            }
        }
        guard endsWord(end) else { return }
        reading.clock = clock
        found.add(reading, end)
    }
}
