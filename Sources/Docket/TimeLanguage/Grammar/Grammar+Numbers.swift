import CivilTime

extension Grammar {
    /// A value and the index of the token after it.
    struct Found<Value> {
        var value: Value
        var end: Int

        init(_ value: Value, _ end: Int) { (self.value, self.end) = (value, end) }
    }

    /// `7`, `seven`, `twenty-seven`.
    func cardinal(at index: Int) -> Found<Int>? {
        guard let token = token(index) else { return nil }
        if token.isNumber {
            return token.digits <= 9 ? Found(token.value, index + 1) : nil
        }
        guard let number = token.sense.number, !token.has(.halves) else { return nil }
        guard number >= 20, number % 10 == 0 else { return Found(number, index + 1) }
        let next = isMark(index + 1, "-") && isGlued(index + 1) ? index + 2 : index + 1
        if let ones = sense(next)?.number, (1...9).contains(ones), self.token(next)?.kind == .word {
            return Found(number + ones, next + 1)
        }
        return Found(number, index + 1)
    }

    /// `a hundred`, `two hundred and fifty`, `three thousand`; also what ``cardinal(at:)`` reads.
    func count(at index: Int) -> Found<Int>? {
        if token(index)?.isNumber == true { return cardinal(at: index) }
        let first = hundreds(at: index)
        let end = first?.end ?? afterArticle(index)
        guard has(end, .thousand), (1...999).contains(first?.value ?? 1) else { return first }
        let thousands = (first?.value ?? 1) * 1000
        let below = has(end + 1, .and) ? end + 2 : end + 1
        if token(below)?.kind == .word, !has(below, .article), let rest = hundreds(at: below) {
            return Found(thousands + rest.value, rest.end)
        }
        return Found(thousands, end + 1)
    }

    /// `fifty`, `a hundred`, `two hundred and fifty`.
    private func hundreds(at index: Int) -> Found<Int>? {
        let first = cardinal(at: index)
        let end = first?.end ?? afterArticle(index)
        guard has(end, .hundred), (1...99).contains(first?.value ?? 1) else { return first }
        return rest(of: (first?.value ?? 1) * 100, at: end + 1, from: 1, through: 99)
    }

    /// An ordinal: `3rd`, `third`, `twenty third`; German `3.`.
    func ordinal(at index: Int) -> Found<Int>? {
        guard let token = token(index) else { return nil }
        if token.isNumber {
            guard token.digits <= 2 else { return nil }
            if has(index + 1, .ordinalEnding), isGlued(index + 1) {
                return Found(token.value, index + 2)
            }
            if table.ordinalPoint, isMark(index + 1, "."), isGlued(index + 1) {
                return Found(token.value, index + 2)
            }
            return nil
        }
        if let ordinal = token.sense.ordinal { return Found(ordinal, index + 1) }
        guard let tens = token.sense.number, tens >= 20, tens % 10 == 0 else { return nil }
        let next = isMark(index + 1, "-") && isGlued(index + 1) ? index + 2 : index + 1
        guard let ones = sense(next)?.ordinal, (1...9).contains(ones) else { return nil }
        return Found(tens + ones, next + 1)
    }

    /// `1.5`, `1,5`, `2`, `three`, `a hundred`, `anderthalb`.
    func decimal(at index: Int) -> Found<Double>? {
        if has(index, .halves), let halves = sense(index)?.number {
            return Found(Double(halves) / 2, index + 1)
        }
        guard let whole = count(at: index) else { return nil }
        if token(index)?.isNumber == true, isMark(index + 1, ".") || isMark(index + 1, ","),
            isGlued(index + 1), isGlued(index + 2), let rest = token(index + 2), rest.isNumber,
            rest.digits <= 3
        {
            let scale = rest.digits == 1 ? 10.0 : rest.digits == 2 ? 100.0 : 1000.0
            let value = Double(whole.value) + Double(rest.value) / scale
            return Found(value, index + 3)
        }
        return Found(Double(whole.value), whole.end)
    }

    /// `2027`, `two thousand and twenty seven`, `nineteen ninety nine`.
    func year(at index: Int) -> Found<Int>? {
        guard let token = token(index) else { return nil }
        if token.isNumber {
            guard token.digits == 4, (1000...2999).contains(token.value) else { return nil }
            // `2000m`, `2000:1` and `2000.5` are not years.
            guard endsWord(index + 1), !isMark(index + 1, "%") else { return nil }
            return Found(token.value, index + 1)
        }
        guard let first = cardinal(at: index) else { return nil }
        if has(first.end, .thousand), (1...2).contains(first.value) {
            return rest(of: first.value * 1000, at: first.end + 1, from: 1, through: 99)
        }
        if has(first.end, .hundred), (10...29).contains(first.value) {
            return rest(of: first.value * 100, at: first.end + 1, from: 1, through: 99)
        }
        guard (17...20).contains(first.value), let second = cardinal(at: first.end),
            self.token(first.end)?.kind == .word, (10...99).contains(second.value)
        else { return nil }
        return Found(first.value * 100 + second.value, second.end)
    }

    private func rest(of base: Int, at index: Int, from: Int, through: Int) -> Found<Int> {
        let start = has(index, .and) ? index + 1 : index
        if token(start)?.kind == .word, let rest = cardinal(at: start),
            (from...through).contains(rest.value)
        {
            return Found(base + rest.value, rest.end)
        }
        return Found(base, index)
    }

    /// A year of two digits: 1970 to 2069.
    static func century(_ year: Int) -> Int { year >= 70 ? 1900 + year : 2000 + year }

    /// The index after articles.
    func afterArticle(_ index: Int) -> Int { has(index, .article) ? index + 1 : index }
}
