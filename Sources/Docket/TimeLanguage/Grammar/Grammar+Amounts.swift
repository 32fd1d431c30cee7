import CivilTime

extension Grammar {
    /// `3 days`, `a week`, `2w`, `an hour and a half`, `2 years 1 month 21 days`.
    func amount(at index: Int) -> Found<Amount>? {
        guard var sum = single(at: index) else { return nil }
        for _ in 0..<4 {
            if let half = andAHalf(after: sum) {
                sum = half
                continue
            }
            var next = sum.end
            if isMark(next, ",") { next += 1 }
            if has(next, .and) { next += 1 }
            guard let other = single(at: next), let both = sum.value.followed(by: other.value)
            else { break }
            sum = Found(both, other.end)
        }
        return sum
    }

    /// `… and a half` after a unit.
    func andAHalf(after sum: Found<Amount>) -> Found<Amount>? {
        guard sum.value.parts == 1, has(sum.end, .and) else { return nil }
        let next = afterArticle(sum.end + 1)
        guard has(next, .half), !has(next + 1, .past), unit(at: next + 1) == nil,
            let half = Amount(0.5, sum.value.smallest)
        else { return nil }
        var both = sum.value
        both.seconds += half.seconds
        both.days += half.days
        both.months += half.months
        return Found(both, next + 1)
    }

    private func single(at index: Int) -> Found<Amount>? {
        guard let token = token(index) else { return nil }
        // `half an hour`, `a quarter of an hour`
        let start = token.has(.article) || token.sense.number == 1 ? index + 1 : index
        if has(start, .half) || (has(start, .quarter) && token.sense.unit != .year) {
            var next = start + 1
            if has(next, .of) || (isMark(next, "-") && isGlued(next) && isGlued(next + 1)) {
                next += 1
            }
            let fraction = has(start, .half) ? 0.5 : 0.25
            if has(next, .article) || has(start, .half) || start > index {
                // `Fill in half hour timesheets`
                if let unit = unit(at: afterArticle(next)),
                    has(next, .article) || start > index || !isProperty(unit.end)
                        || isAfterEvery(index),
                    let amount = Amount(fraction, unit.value.unit, scale: unit.value.scale)
                {
                    return Found(amount, unit.end)
                }
            }
        }
        // `1h30`, `1h30m`
        if token.isNumber, sense(index + 1)?.unit == .hour, isGlued(index + 1), isGlued(index + 2),
            let rest = self.token(index + 2), rest.isNumber, rest.digits == 2,
            let hours = Amount(Double(token.value), .hour),
            let minutes = Amount(Double(rest.value), .minute),
            let both = hours.followed(by: minutes)
        {
            let isMinute = self.token(index + 3)?.key == "m" || sense(index + 3)?.unit == .minute
            let end = isMinute && isGlued(index + 3) ? index + 4 : index + 3
            if endsWord(end) { return Found(both, end) }
        }
        var count: Found<Double>
        if let number = fraction(at: index) ?? decimal(at: index) {
            count = number
            if has(count.end, .more) { count.end += 1 }
        } else if token.has(.article) || token.sense.number == 1 {
            guard table.halfIsBefore ? token.sense.number == 1 : token.key != "the" else {
                return nil
            }
            count = Found(1, index + 1)
        } else {
            count = Found(0, index)
        }
        // `a couple of`
        let couple = count.end == index ? index : count.end
        if count.value <= 1, has(couple, .couple) {
            let isPair = tokens[couple].key != "few" && tokens[couple].key != "paar"
            count = Found(isPair ? 2 : 3, couple + 1)
            if has(count.end, .of) { count.end += 1 }
        }
        guard count.end > index else { return nil }
        // `two and a half hours`
        if has(count.end, .and), has(afterArticle(count.end + 1), .half),
            unit(at: afterArticle(count.end + 1) + 1) != nil
        {
            count = Found(count.value + 0.5, afterArticle(count.end + 1) + 1)
        }
        let isGluedNumber = isGlued(count.end) && tokens[count.end - 1].isNumber
        var at = count.end
        if isMark(at, "-"), isGlued(at), isGlued(at + 1) { at += 1 }
        guard let unit = unit(at: at, isGlued: isGluedNumber), endsWord(unit.end),
            let amount = Amount(count.value, unit.value.unit, scale: unit.value.scale)
        else { return nil }
        if count.value > 1, isProperty(unit.end) { return nil }
        return Found(amount, unit.end)
    }

    private func isAfterEvery(_ index: Int) -> Bool { index > 0 && has(index - 1, .every) }

    /// Whether a unit that ends here is one of a thing: `3 hour timeout`, `10-minute talk`.
    private func isProperty(_ end: Int) -> Bool {
        guard sense(end - 1)?.isSingular == true, let next = token(end), next.kind == .word else {
            return false
        }
        return next.hasSpace && next.sense.isEmpty
    }

    /// `1/4`, `1 1/2`, `three quarters of`, before a unit.
    private func fraction(at index: Int) -> Found<Double>? {
        guard let first = token(index), let number = cardinal(at: index) else { return nil }
        if has(number.end, .quarter) || (isMark(number.end, "-") && has(number.end + 1, .quarter)) {
            var end = number.end + (isMark(number.end, "-") ? 2 : 1)
            guard number.value == 3, has(end, .of) else { return nil }
            end = afterArticle(end + 1)
            return unit(at: end) == nil ? nil : Found(0.75, end)
        }
        func quotient(_ index: Int) -> Double? {
            guard let above = token(index), above.isNumber, isMark(index + 1, "/"),
                isGlued(index + 1), isGlued(index + 2), let below = token(index + 2),
                below.isNumber, above.value < below.value, [2, 3, 4].contains(below.value)
            else { return nil }
            return Double(above.value) / Double(below.value)
        }
        guard first.isNumber, first.digits <= 4 else { return nil }
        if let part = quotient(index) {
            // `3/4 of an hour`
            let unitStart = has(index + 3, .of) ? afterArticle(index + 4) : index + 3
            let isOf = unitStart > index + 3 && unit(at: unitStart) != nil
            return Found(part, isOf ? unitStart : index + 3)
        }
        guard let next = token(index + 1), next.hasSpace, let part = quotient(index + 1) else {
            return nil
        }
        return Found(Double(first.value) + part, index + 4)
    }

    /// `days`, `business days`; letters alone (`d`) only directly after digits.
    func unit(at index: Int, isGlued: Bool = false) -> Found<(unit: TimeUnit, scale: Int)>? {
        if let phrase = tokens.phrase(at: index), let unit = phrase.sense.unit {
            return Found((unit, phrase.sense.scale), phrase.end)
        }
        guard let token = token(index), token.kind == .word else { return nil }
        if isGlued, token.key == "m" {
            return Found((.month, 1), index + 1)
        }
        guard let unit = token.sense.unit else { return nil }
        // In a title `2 h` may be anything, `in 2 h` is a time.
        let isBehindIn = index > 1 && has(index - 2, [.in, .within])
        let isHours = token.key == "h" && (isField || isBehindIn)
        guard token.key.utf8.count > 1 || isGlued || isHours else { return nil }
        // `3D` has three dimensions.
        if token.key == "d", token.isCapital { return nil }
        return Found((unit, token.sense.scale), index + 1)
    }
}
