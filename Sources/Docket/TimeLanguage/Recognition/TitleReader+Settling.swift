import CivilTime

/// What several dates of one title mean together.
extension TitleReader {
    /// `tomorrow lunch with Ana at 12`: a day and a time in two places.
    mutating func complete(with phrase: Grammar.Piece) -> Bool {
        if completeRange(with: phrase) { return true }
        guard let dueReading = said.due, dueReading.hasDay != phrase.reading.hasDay,
            dueReading.hasTime != phrase.reading.hasTime,
            let both = dueReading.joined(with: phrase.reading),
            case .due(let date) = resolver.resolve(both)
        else { return false }
        result.due = resolver.toMinute(date)
        said.due = both
        take(.due, phrase.end)
        return true
    }

    /// `Friday lunch with Ana at 12:30`, `at noon lunch with Ana friday`: what stands at the beginning
    /// belongs to the day or time that is understood elsewhere.
    mutating func takeOpening() {
        guard let opening = unread.opening, result.repetition == nil, !said.isContradicted else {
            return
        }
        var kind = Recognition.Kind.due
        switch opening.meaning {
        case .hours(let hours):
            guard let dueReading = said.due, dueReading.isDay,
                case .day(let day) = resolver.day(dueReading),
                take(hours, on: day)
            else { return }
            kind = .range
        case .reading(let reading):
            if var hours = said.hours, reading.hasDay {
                if hours.start.part == nil {
                    (hours.start.part, hours.end.part) = (reading.part, reading.part)
                }
                guard case .day(let day) = resolver.day(reading), take(hours, on: day) else {
                    return
                }
                said.hours = nil
            } else {
                guard let dueReading = said.due, dueReading.hasDay != reading.hasDay,
                    dueReading.hasTime == reading.hasDay, dueReading.moment == nil,
                    let both = reading.joined(with: dueReading),
                    case .due(let date) = resolver.resolve(both)
                else { return }
                (result.due, said.due) = (resolver.toMinute(date), both)
            }
        }
        unread.opening = nil
        result.spans.insert(.init(kind: kind, range: bytes(0, opening.end)), at: 0)
    }

    /// `12:30-13:30 lunch with Ana friday`: hours and their day.
    private mutating func completeRange(with phrase: Grammar.Piece) -> Bool {
        let reading = phrase.reading
        guard let hours = said.hours, result.repetition == nil, reading.hasDay, !reading.hasTime,
            reading.moment == nil, case .day(let day) = resolver.day(reading),
            day >= resolver.today,
            take(hours, on: day)
        else { return false }
        said.hours = nil
        take(.due, phrase.end)
        return true
    }

    /// Makes hours of a day start and end.
    mutating func take(_ hours: Grammar.Stretch, on day: Day) -> Bool {
        guard let opening = hours.start.period?.first, let closing = hours.end.period?.first else {
            return false
        }
        var (start, end) = (hours.start, hours.end)
        start.period = Period(day)
        end.period = Period(day.adding(days: closing.number - opening.number))
        guard case .due(let open) = resolver.resolve(start),
            case .due(let close) = resolver.resolve(end)
        else { return false }
        (result.start, result.end, result.due) = (open, close, close)
        return true
    }

    /// `Drop kids at 8, pick up at 3`: dates of two parts of a sentence, of which neither is the due
    /// date of all.
    ///
    /// - Returns: whether the phrase contradicts the due date; both then stay in the title.
    mutating func contradict(with phrase: Grammar.Piece, on date: DueDate) -> Bool {
        guard let dueEnd = said.dueEnd, result.repetition == nil,
            result.due != resolver.toMinute(date),
            rules.isInOtherPart(at, than: dueEnd)
        else { return false }
        result.spans = result.spans.map { span in
            span.kind == .due ? .init(kind: .problem, range: span.range) : span
        }
        leave(phrase.end, "“\(text(at, phrase.end))” is a second date; both stay in the title.")
        (result.due, said.due, said.dueEnd) = (nil, nil, nil)
        said.isContradicted = true
        return true
    }

    /// Makes one stretch of a start and a due date that were said apart: the second of them may leave
    /// the day to the first, and the end comes after the start.
    mutating func settle() {
        guard said.hours == nil, let first = said.start, let last = said.due else { return }
        if first.moment == nil, last.moment == nil, first.hasDay != last.hasDay {
            var (opening, closing) = (first, last)
            guard case .day(let day) = resolver.day(first.hasDay ? first : last) else { return }
            if first.hasDay {
                closing.period = Period(day)
            } else {
                opening.period = Period(day)
            }
            if case .due(let start) = resolver.resolve(opening),
                case .due(let due) = resolver.resolve(closing)
            {
                (result.start, result.due) = (resolver.toMinute(start), resolver.toMinute(due))
            }
        }
        let zone = resolver.context.zone
        guard let start = result.start, let due = result.due, due.isOver(before: start, in: zone)
        else { return }
        if case .due(let later) = resolver.later(from: start).resolve(last),
            !later.isOver(before: start, in: zone)
        {
            result.due = resolver.toMinute(later)
            return
        }
        (result.start, result.due) = (nil, nil)
        result.spans = result.spans.map { span in
            span.kind == .due || span.kind == .start
                ? .init(kind: .problem, range: span.range) : span
        }
        result.problems.append("The end is before the start; both stay in the title.")
    }

    /// Leaves a reminder in the title that has nothing to be before.
    mutating func settleReminder() {
        guard result.reminder != nil, result.due == nil else { return }
        result.reminder = nil
        leave([.reminder]) { "“\($0)” needs a due date; it stays in the title." }
    }

    // MARK: Quotations

    /// The index after a quotation that begins here.
    ///
    /// - Complexity: O(1) on average, since a mark that nothing closes is looked for once.
    mutating func quotationEnd(at index: Int) -> Int? {
        guard isQuote(index), tokens[index].hasSpace, let next = grammar.token(index + 1),
            !next.hasSpace
        else { return nil }
        let open = text(index, index + 1)
        // `'87`
        guard let closing = TitleReader.quotationMarks[open], !unread.unclosed.contains(open),
            open != "'" || next.kind == .word
        else { return nil }
        for end in index + 1..<tokens.count
        where isQuote(end) && !tokens[end].hasSpace && grammar.endsWord(end + 1)
            && closing.contains(text(end, end + 1))
        {
            return end + 1
        }
        unread.unclosed.insert(open)
        return nil
    }

    private func isQuote(_ index: Int) -> Bool {
        let token = tokens[index]
        return token.isMark("\"") || token.isMark("'") || token.isOtherMark
    }

    private static let quotationMarks = [
        "\"": "\"", "'": "'", "“": "”", "„": "“”", "‘": "’", "«": "»", "»": "«",
    ]
}
