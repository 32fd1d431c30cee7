import CivilTime

extension Grammar {
    /// Clock times, parts of the day and zones.
    func addClocks(at index: Int, to found: inout [Piece]) {
        // `at`, `@`, `around`, `at about`
        var start = index
        while start - index < 3,
            has(start, [.at, .about]) || isAtSign(start)
        {
            start += 1
        }
        let isMarked = start > index || (index > 0 && has(index - 1, .due))
        // `at lunch`
        if start > index, tokens.phrase(at: index)?.sense.part != nil { start = index }
        if start > index, has(start, .article) { start += 1 }
        for clock in clocks(at: start) {
            var reading = Reading()
            reading.clock = clock.value
            reading.traits = .clock
            if clock.value.isBare, !isMarked {
                reading.traits = [.clock, .bareClock]
                if isMark(start + 1, "."), isGlued(start + 1) { reading.traits.formUnion(.point) }
                let width = token(start)?.digits ?? 0
                if width > 2 || (width > 0 && clock.end == start + 2) {
                    reading.traits.formUnion(.bareNumber)
                    if width == 4 { reading.traits.formUnion(.fourDigits) }
                }
            }
            if let problem = clock.value.problem { reading.problem = problem }
            // `by 2027`
            if let year = token(start), year.digits == 4, clock.end == start + 1, start == index,
                (1900...2099).contains(year.value), isMarked
            {
                continue
            }
            // An impossible number is a number.
            if reading.problem != nil, clock.value.isBare { continue }
            var end = clock.end
            // `8pm-ish`
            if isMark(end, "-"), isGlued(end), isGlued(end + 1), token(end + 1)?.key == "ish" {
                end += 1
            }
            if has(end, .manner), isGlued(end) || token(end)?.key == "ish" {
                reading.traits = .clock
            }
            if has(end, .manner), !has(end, .about) || token(end + 1) == nil { end += 1 }
            let isLength = !isMarked && start == index && isLength(at: start, clock.end)
            if endsWord(end), !isLength { found.add(reading, end) }
            if let zone = zone(at: end) ?? offset(at: end), endsWord(zone.end) {
                reading.zone = zone.value
                reading.traits.formUnion(.zone)
                found.add(reading, zone.end)
            }
        }
        addParts(at: index, to: &found)
    }

    /// Whether `2h` is how long it takes, as in `Study 2h tomorrow`; but `friday 8h`, `17h`.
    private func isLength(at index: Int, _ end: Int) -> Bool {
        guard end == index + 2, token(index + 1)?.key == "h", !isField,
            let hours = token(index)?.value
        else { return false }
        let isSaidAfterDay = isAfterDay(index) || table.has24Hours
        return hours <= (isSaidAfterDay ? 6 : 12)
    }

    /// `@ 8`, `@8`; `@name` is a place.
    private func isAtSign(_ index: Int) -> Bool {
        guard isMark(index, "@") else { return false }
        return !isGlued(index + 1) || (tokens[index].hasSpace && tokens[index + 1].isNumber)
    }

    /// All times that begin at a token.
    func clocks(at index: Int) -> [Found<Clock>] {
        guard let token = token(index) else { return [] }
        var found: [Found<Clock>] = []
        if let named = namedClock(at: index) { found.append(named) }
        found += spokenClocks(at: index)
        if token.isNumber { found += writtenClocks(at: index) }
        if token.kind == .word, let words = wordClock(at: index) { found.append(words) }
        return found.flatMap { clock -> [Found<Clock>] in
            var clock = clock
            clock.value.leaning = leaning
            guard clock.value.half == nil, clock.value.hour < 24 else { return [clock] }
            if let half = half(at: clock.end) {
                var value = clock.value
                (value.half, value.isBare) = (half.value, false)
                return [Found(value, half.end)]
            }
            let isMilitary = sense(clock.end)?.unit == .hour && token.digits == 4 && token.isNumber
            if has(clock.end, .oclock) || isMilitary {
                var value = clock.value
                value.isBare = false
                var end = clock.end + 1
                // `9 Uhr 30`
                if table.halfIsBefore, value.minute == 0, let rest = self.token(end), rest.isNumber,
                    rest.digits == 2, rest.value < 60
                {
                    value.minute = rest.value
                    end += 1
                }
                if let half = half(at: end) {
                    value.half = half.value
                    return [Found(value, half.end)]
                }
                return [Found(value, end)]
            }
            return [clock]
        }
    }

    /// `noon`, `midnight`.
    private func namedClock(at index: Int) -> Found<Clock>? {
        // `12 noon`
        if let twelve = token(index), twelve.isNumber, twelve.value == 12, has(index + 1, .midnight)
        {
            return namedClock(at: index + 1)
        }
        let phrase = tokens.phrase(at: index)
        if (phrase?.sense ?? sense(index))?.part == .noon, sense(index)?.weekday == nil {
            let clock = Clock(hour: 12, has24Hours: true)
            return Found(clock, phrase?.end ?? index + 1)
        }
        guard has(index, .midnight) else { return nil }
        return Found(Clock(hour: 0, has24Hours: true), index + 1)
    }

    /// `am`, `p.m.`, `a m`, `p . m .`, and `a`, `p` directly after digits.
    private func half(at index: Int) -> Found<Clock.Half>? {
        // `3 in the AM`, `3ish pm`
        if !table.halfIsBefore {
            if has(index, .in), has(index + 1, .article), has(index + 2, [.am, .pm]) {
                return half(at: index + 2)
            }
            if has(index, .manner), isGlued(index), has(index + 1, [.am, .pm]) {
                return half(at: index + 1)
            }
        }
        guard let token = token(index), token.kind == .word else { return nil }
        if !table.halfIsBefore, token.has([.am, .pm]) {
            return Found(token.has(.am) ? .morning : .afternoon, index + 1)
        }
        guard token.key == "a" || token.key == "p", !table.halfIsBefore else { return nil }
        let value: Clock.Half = token.key == "a" ? .morning : .afternoon
        var at = index + 1
        let hasPoint = isMark(at, ".")
        if hasPoint { at += 1 }
        if let next = self.token(at), next.key == "m", endsWord(at + 1) {
            at += 1
            if hasPoint, isMark(at, ".") { at += 1 }
            return Found(value, at)
        }
        return isGlued(index) && endsWord(index + 1) ? Found(value, index + 1) : nil
    }

    /// `9:15`, `9.15`, `17h30`, `9h`, `930`, `9`, `3 15`.
    private func writtenClocks(at index: Int) -> [Found<Clock>] {
        let token = tokens[index]
        var found: [Found<Clock>] = []
        guard token.digits <= 4 else { return [] }
        let hasZero = token.digits == 2 && token.value < 10
        if token.digits <= 2 {
            var clock = Clock(hour: token.value, has24Hours: hasZero)
            // 9:15[:30]
            if isMark(index + 1, ":"), let minute = digits(at: index + 2, 2) {
                (clock.minute, clock.hasMinutes) = (minute, true)
                var end = index + 3
                if isMark(end, ":"), let second = digits(at: end + 1, 2) {
                    clock.second = second
                    end += 2
                }
                if table.has24Hours { clock.has24Hours = true }
                // `20:15h`
                if let hour = self.token(end), hour.key == "h", !hour.hasSpace, endsWord(end + 1) {
                    clock.has24Hours = true
                    return [Found(clock, end + 1)]
                }
                return isMark(end, ":") && isGlued(end) && digits(at: end + 1, nil) != nil
                    ? [] : [Found(clock, end)]
            }
            // 9.15
            if isMark(index + 1, "."), let minute = digits(at: index + 2, 2), minute < 60,
                token.value < 24,
                !isMark(index + 3, ".") || !isGlued(index + 3) || !isGlued(index + 4)
            {
                (clock.minute, clock.hasMinutes, clock.isBare) = (minute, true, true)
                if table.has24Hours { clock.has24Hours = true }
                found.append(Found(clock, index + 3))
                (clock.minute, clock.hasMinutes) = (0, false)
            }
            // 17h30, 9h
            if let next = self.token(index + 1), next.key == "h", !next.hasSpace {
                clock.has24Hours = true
                if let minute = digits(at: index + 2, 2) {
                    clock.minute = minute
                    return [Found(clock, index + 3)]
                }
                return [Found(clock, index + 2)]
            }
            clock.isBare = true
            if token.value <= 24 {
                found.append(Found(clock, index + 1))
                // 3 15
                if let next = self.token(index + 1), next.isNumber, next.hasSpace, next.digits == 2,
                    next.value < 60, endsWord(index + 2)
                {
                    clock.minute = next.value
                    found.append(Found(clock, index + 2))
                }
            }
            return found
        }
        // 930, 1030
        guard token.value % 100 < 60, token.value / 100 < 24 else { return [] }
        var clock = Clock(hour: token.value / 100, minute: token.value % 100, isBare: true)
        clock.has24Hours = token.digits == 4 && token.value < 1000
        return [Found(clock, index + 1)]
    }

    /// Digits directly after the token before.
    private func digits(at index: Int, _ width: Int?) -> Int? {
        guard let token = token(index), token.isNumber, !token.hasSpace,
            width == nil || token.digits == width
        else { return nil }
        return token.value
    }

    /// `ten`, `ten thirty`, `ten-thirty`, `twelve oh three`, `six forty-three`.
    private func wordClock(at index: Int) -> Found<Clock>? {
        guard let hour = cardinal(at: index), (1...24).contains(hour.value),
            !has(index, .indefinite) || has(hour.end, .oclock)
        else { return nil }
        var clock = Clock(hour: hour.value, isBare: true)
        var next = hour.end
        if isMark(next, "-"), isGlued(next) { next += 1 }
        if token(next)?.kind == .word, has(next, .zero),
            let minute = cardinal(at: next + 1), minute.value < 10, token(next + 1)?.kind == .word
        {
            clock.minute = minute.value
            return Found(clock, minute.end)
        }
        if token(next)?.kind == .word, let minute = cardinal(at: next),
            (10...59).contains(minute.value)
        {
            clock.minute = minute.value
            let isSaid = sense(minute.end)?.unit == .minute
            return Found(clock, isSaid ? minute.end + 1 : minute.end)
        }
        return Found(clock, hour.end)
    }

    // MARK: Half past

    /// `half past 3`, `quarter to nine`, `20 minutes past 3pm`, `ten past noon`, `halb drei`.
    private func spokenClocks(at index: Int) -> [Found<Clock>] {
        let start = table.halfIsBefore ? index : afterArticle(index)
        var minutes: Int?
        var next = start
        var isRound = true
        if has(start, .threeQuarters) {
            return hour(at: start + 1).map { [shifted($0, by: -15)] } ?? []
        }
        if has(start, .half) {
            (minutes, next) = (30, start + 1)
            if table.halfIsBefore {
                return hour(at: next).map { [shifted($0, by: -30)] } ?? []
            }
        } else if let quarters = cardinal(at: start), has(quarters.end, .quarter) {
            // `three quarters past eight`
            guard (1...3).contains(quarters.value) else { return [] }
            (minutes, next) = (quarters.value * 15, quarters.end + 1)
        } else if has(start, .quarter) {
            (minutes, next) = (15, start + 1)
        } else if let count = cardinal(at: start), (1...59).contains(count.value) {
            (minutes, next) = (count.value, count.end)
            // `nine to five` are two times.
            isRound = [5, 10, 15, 20, 25].contains(count.value)
            if sense(next)?.unit == .minute { (next, isRound) = (next + 1, true) }
        }
        guard let minutes else { return [] }
        if has(next, .past), let hour = hour(at: next + 1) { return [shifted(hour, by: minutes)] }
        if isRound, has(next, .to), let hour = hour(at: next + 1) {
            return [shifted(hour, by: -minutes)]
        }
        // `half three`, `half 8`
        if has(start, .half), !table.halfIsBefore, let hour = cardinal(at: next),
            (1...12).contains(hour.value), endsWord(hour.end), unit(at: hour.end) == nil
        {
            var clock = Clock(hour: hour.value, minute: 30)
            clock.isBare = token(next)?.isNumber == true
            return [Found(clock, hour.end)]
        }
        return []
    }

    private func shifted(_ hour: Found<Clock>, by minutes: Int) -> Found<Clock> {
        var clock = hour.value.adding(minutes: minutes)
        clock.isBare = false
        return Found(clock, hour.end)
    }

    /// The hour in `half past 3 pm`: a full hour, with or without `am`.
    private func hour(at index: Int) -> Found<Clock>? {
        if let noon = namedClock(at: index) { return noon }
        guard let number = cardinal(at: index), (0...23).contains(number.value) else { return nil }
        var clock = Clock(hour: number.value)
        var end = number.end
        if token(index)?.isNumber == true {
            if let next = token(end), next.key == "h", !next.hasSpace {
                clock.has24Hours = true
                end += 1
                if let zero = digits(at: end, 2), zero == 0 { end += 1 }
            } else if isMark(end, ":"), digits(at: end + 1, 2) == 0 {
                end += 2
            } else if isMark(end, ":") || (isMark(end, "/") && isGlued(end)) {
                return nil
            }
        }
        if has(end, .oclock) { end += 1 }
        if let half = half(at: end) {
            clock.half = half.value
            end = half.end
        }
        return endsWord(end) && clock.problem == nil ? Found(clock, end) : nil
    }

    // MARK: Parts of the day

    /// `in the morning`, `morning`, `early evening`.
    private func addParts(at index: Int, to found: inout [Piece]) {
        // `tomorrow am`
        if isAfterDay(index), !isGlued(index), let half = half(at: index), endsWord(half.end) {
            let reading = Reading(.part, part: half.value == .morning ? .morning : .afternoon)
            found.add(reading, half.end)
        }
        var start = index
        // `early in the morning`
        if has(start, .early), has(start + 1, .in) { start += 1 }
        if has(start, [.in, .at]) { start += 1 }
        start = afterArticle(start)
        if has(start, .early) { start += 1 }
        let phrase = tokens.phrase(at: start)
        let end = phrase?.end ?? start + 1
        guard let sense = phrase?.sense ?? sense(start), let part = sense.part,
            sense.weekday == nil, sense.repeats == nil, !has(start, .plural),
            sense.day == nil || start > index || isAfterDay(start),
            endsWord(end)
        else { return }
        guard part != .noon || start == index || has(start - 1, .article) else { return }
        found.add(Reading(.part, part: part), end)
    }

    /// Whether the word before is a day, as in `heute morgen`.
    func isAfterDay(_ index: Int) -> Bool {
        guard let before = token(index - 1) else { return false }
        return before.sense.day != nil || before.sense.weekday != nil
    }

    // MARK: Zones

    /// `Z`, `+02:00`, `-0500` behind a time.
    private func offset(at index: Int) -> Found<Int>? {
        guard let token = token(index), self.token(index - 1)?.isNumber == true else { return nil }
        if token.key == "z", !token.hasSpace { return Found(0, index + 1) }
        guard let shift = shift(at: index), let hours = self.token(index + 1) else { return nil }
        let isWest = shift.value < 0
        if hours.digits == 4 {
            // `1700 -1800` are two times.
            return isWest && hours.value >= 1000 ? nil : shift
        }
        return !isWest && hours.digits == 2 && shift.end == index + 4 ? shift : nil
    }

    /// `+2`, `-07:00`, `+0530`: minutes east of UTC.
    private func shift(at index: Int) -> Found<Int>? {
        let isWest = isMark(index, "-")
        guard isWest || isMark(index, "+"), let hours = digits(at: index + 1, nil)
        else { return nil }
        var (minutes, end) = (hours * 60, index + 2)
        if tokens[index + 1].digits == 4 {
            guard hours <= 1400, hours % 100 < 60 else { return nil }
            minutes = hours / 100 * 60 + hours % 100
        } else {
            guard hours <= 14 else { return nil }
            if isMark(end, ":"), let rest = digits(at: end + 1, 2), rest < 60 {
                minutes += rest
                end += 2
            }
        }
        return Found(isWest ? -minutes : minutes, end)
    }

    /// `CET`, `(BST)`, `UTC+2`.
    func zone(at index: Int) -> Found<Int>? {
        let isOpen = isMark(index, "(")
        let start = isOpen ? index + 1 : index
        guard let token = token(start), token.kind == .word, let zone = token.sense.zone,
            isOpen || token.hasSpace
        else { return nil }
        // Small `est` and `ist` are words of other languages; `3pm est 2h` has an estimate.
        guard token.isUpper || !(table.halfIsBefore || isEffort(at: start)) else { return nil }
        var value = zone
        var end = start + 1
        if zone == 0, isGlued(end), let shift = shift(at: end) {
            (value, end) = (shift.value, shift.end)
        }
        if isOpen {
            guard isMark(end, ")") else { return nil }
            end += 1
        }
        return Found(value, end)
    }
}
