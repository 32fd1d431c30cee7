import CivilTime

/// How long something takes: `for 45 min`, `~45m`, `est 2h`; `2h` and `30 min` beside a date.
extension TitleRules {
    /// The length of the task that a title says at a token, in minutes.
    ///
    /// `isAfterTaken`: whether what is before it was understood.
    func length(at index: Int, isAfterTaken: Bool) -> Grammar.Found<Int>? {
        guard isWordStart(index), let length = plainLength(at: index, isAfterDate: isAfterTaken)
        else { return nil }
        let (start, end) = (length.start, length.end)
        let found = Grammar.Found(length.minutes, end)
        if start > index {
            // `for 45 minutes`; but `for 30 min eggs`
            let isFree =
                !has(index, .for) || isBoundary(end)
                || grammar.phrases(at: end).contains(where: \.reading.hasDay)
            return isFree ? found : nil
        }
        if isAfterTaken { return isBoundary(end) || isDate(end) ? found : nil }
        // `Run 50m tomorrow` is how far.
        if token(end - 1)?.key == "m" { return nil }
        if isDate(end) { return found }
        return index > 0 && length.isCompact && isLineEnd(end) ? found : nil
    }

    struct Length {
        /// The index of its number, behind `for`, `~` or `est`.
        var start: Int
        var end: Int
        var minutes: Int
        /// `2h`, `90min`: number and unit are one word.
        var isCompact: Bool
    }

    /// What has the form of a length of minutes or hours, whatever is behind it.
    func plainLength(at index: Int, isAfterDate: Bool) -> Length? {
        guard let first = token(index) else { return nil }
        var start = index
        if first.has(.for) || grammar.isEffort(at: index) {
            start += 1
            if !first.has(.for) {
                while grammar.isMark(start, ".") || grammar.isMark(start, ":") { start += 1 }
            }
        } else if first.isMark("~") {
            start += 1
        }
        guard let length = grammar.minutes(at: start), grammar.endsWord(length.end) else {
            return nil
        }
        if start == index {
            let before: Roles = [
                .in, .within, .every, .of, .article, .possessive, .at, .on, .due, .before, .after,
                .more,
            ]
            if isMoney(index) || has(index - 1, before) { return nil }
            // `3 x 20 min`, `the first 20 minutes`
            if !isAfterDate, let last = token(index - 1) {
                if last.isNumber || last.sense.turn != nil || last.sense.ordinal != nil
                    || last.sense.unit != nil || last.key == "x" || last.has(.between)
                {
                    return nil
                }
            }
            if isClock(at: index, length.end) { return nil }
        }
        let after: Roles = [
            .ago, .later, .before, .after, .from, .fromNow, .since, .past, .of, .measure,
        ]
        // `20 min to 8`
        if has(length.end, after), !has(length.end, .due) { return nil }
        if has(length.end, .to), token(length.end + 1)?.isNumber == true { return nil }
        return Length(
            start: start,
            end: length.end,
            minutes: length.value,
            isCompact: token(start)?.isNumber == true && grammar.isGlued(length.end - 1)
        )
    }

    /// Whether `17h`, `9h30` is a time of the day.
    private func isClock(at index: Int, _ end: Int) -> Bool {
        guard let hours = token(index), hours.isNumber, token(index + 1)?.key == "h",
            grammar.isGlued(index + 1)
        else { return false }
        if end > index + 2 { return hours.value > 3 }
        let isEvery = has(index - 1, .plural) || isRepeated(index)
        if isEvery { return hours.value > 12 }
        return hours.value > (grammar.isAfterDay(index) || grammar.table.has24Hours ? 6 : 12)
    }

    /// Whether a repetition is before it: `every monday 8h`.
    private func isRepeated(_ index: Int) -> Bool {
        (max(0, index - 4)..<index).contains {
            tokens[$0].has(.every) || tokens[$0].sense.repeats != nil
        }
    }

    /// Whether a date or a repetition begins here, behind a comma or not.
    private func isDate(_ index: Int) -> Bool {
        let at = grammar.isMark(index, ",") ? index + 1 : index
        guard let token = token(at), token.kind == .word || token.isNumber else { return false }
        if token.has(.every) || token.sense.repeats != nil { return true }
        let start = token.has([.on, .due, .at]) ? at + 1 : at
        // `24 hours in a day`
        return grammar.phrases(at: start).contains {
            !$0.reading.traits.contains(.amount)
                && ($0.reading.hasDay || $0.reading.clock?.isBare == false)
        }
    }

    // MARK: Reminders

    /// `remind me 1 week before`: so many minutes before it is due.
    func reminder(at index: Int) -> Grammar.Found<Int>? {
        guard isWordStart(index), tokens[index].sense.use == .reminder else { return nil }
        let isMe = ["me", "mich"].contains(token(index + 1)?.key)
        let start = isMe ? index + 2 : index + 1
        let field = Grammar(tokens, grammar.resolver, isField: true)
        guard let length = field.exactMinutes(at: start), grammar.isBefore(length.end),
            isBoundary(length.end + 1)
        else { return nil }
        return Grammar.Found(length.value, length.end + 1)
    }
}

extension Recogniser {
    /// Reads a text that is only a length of time before something: `1 week before`, `2 h`.
    ///
    /// - Returns: minutes, less than zero for a length after it (`1 h after`); `nil` for other texts.
    public func lead(_ text: String) -> Int? {
        guard text.utf8.count <= 200 else { return nil }
        let tokens = Tokens(text, settings.language.vocabulary)
        let grammar = Grammar(tokens, Resolver(context: context), isField: true)
        guard tokens.count > 0, let length = grammar.exactMinutes(at: 0) else { return nil }
        let isAfter = grammar.has(length.end, .after)
        let end = isAfter || grammar.isBefore(length.end) ? length.end + 1 : length.end
        guard FieldReader.isEnd(tokens, end) else { return nil }
        return isAfter ? -length.value : length.value
    }
}

extension Grammar {
    /// The minutes of a length without months and years: `1 week`, `30m`, `2 hours and a half`.
    func exactMinutes(at index: Int) -> Found<Int>? {
        // Here `m` is minutes.
        if let found = minutes(at: index) { return found }
        guard let amount = amount(at: index), amount.value.months == 0,
            amount.value.workdays == 0, amount.value.weekends == 0
        else { return nil }
        let minutes = amount.value.days * 1440 + amount.value.seconds / 60
        return minutes > 0 ? Found(minutes, amount.end) : nil
    }

    /// Whether a word says that a length is before something: `before`, `vorher`.
    func isBefore(_ index: Int) -> Bool {
        has(index, .before) || token(index)?.sense.use == .sooner
    }

    /// Whether a length follows a word that says that it is one: `est 2h`.
    func isEffort(at index: Int) -> Bool {
        guard let token = token(index), token.sense.use == .effort, !token.isUpper else {
            return false
        }
        var start = index + 1
        while isMark(start, ".") || isMark(start, ":") { start += 1 }
        return minutes(at: start) != nil
    }
}
