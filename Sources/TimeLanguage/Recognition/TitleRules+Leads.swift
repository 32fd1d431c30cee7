extension TitleRules {
    /// `due on`, `by the`, `around`: the words before a phrase.
    func lead(at index: Int) -> Lead {
        var lead = Lead(end: index)
        while lead.end < index + 4, let token = token(lead.end), token.kind == .word {
            if let phrase = tokens.phrase(at: lead.end),
                !phrase.sense.roles.isDisjoint(with: [.due, .from])
            {
                // `no later than`, `not before`
                let isDue = phrase.sense.roles.contains(.due)
                if isDue { lead.isDue = true } else { lead.isStart = true }
                lead.end = phrase.end
                continue
            }
            // `A friday` is no date.
            if token.has(.article), token.key != "a", token.key != "an", !lead.isArticle {
                lead.isArticle = true
            } else if lead.isArticle {
                break
            } else if token.has(.due), !token.isPossessive {
                lead.isDue = true
            } else if token.has(.from), isStartMarker(lead.end) {
                lead.isStart = true
            } else if isTarget(lead.end), lead.end == index {
                lead.isTarget = true
            } else if token.has(.on), !has(lead.end + 1, [.at, .about]) {
                lead.isOn = true
            } else if token.has(.at), isFeast(lead.end + 1) {
                lead.isOn = true
            } else if token.has(.for) {
                lead.isFor = true
            } else if isRoughly(lead.end) || (token.has(.later) && isTime(lead.end + 1))
                || (token.has(.early) && isPartOfDay(lead.end + 1))
            {
                lead.isAbout = true
            } else {
                break
            }
            lead.end += 1
            if lead.isDue, grammar.isMark(lead.end, ":") { lead.end += 1 }
        }
        // An article belongs to the phrase, which knows whether it may have one.
        if lead.isArticle, !grammar.phrases(at: lead.end - 1).isEmpty {
            lead.end -= 1
            lead.isArticle = false
        }
        // `in` is not a lead; `on` without a phrase is none either.
        if grammar.phrases(at: lead.end).isEmpty { return Lead(end: index) }
        return lead
    }

    /// Whether a holiday or the weekend follows, at which something can be: `at christmas`.
    private func isFeast(_ index: Int) -> Bool {
        grammar.pieces(at: index).contains { piece in
            piece.reading.traits == .holiday
                || (piece.reading.traits == .period && piece.reading.period?.unit == .weekend)
        }
    }

    /// Whether a time alone is that of a holiday with which the title begins, and which is a part of
    /// its name: `Good Friday service 10am`.
    func isOfFeast(_ reading: Reading) -> Bool {
        let start = grammar.afterArticle(0)
        guard !reading.hasDay, reading.hasTime, reading.moment == nil, let first = token(start)
        else { return false }
        return (tokens.phrase(at: start)?.sense ?? first.sense).holiday != nil
    }

    /// Whether the date to which an appointment is moved follows: `to`, without a `from` before it.
    private func isTarget(_ index: Int) -> Bool {
        guard let moves, moves < index, index < movesFrom else { return false }
        return tokens[index].has(.to) && tokens[index].has(.through)
    }

    /// `around friday`, `about 5`; but `talk about friday`.
    private func isRoughly(_ index: Int) -> Bool {
        guard tokens[index].has(.about) else { return false }
        return !tokens[index].has(.function) || grammar.cardinal(at: index + 1) != nil
    }

    /// The index after a number of persons or things: `for two`, `for 4 at 7pm`.
    ///
    /// `nil` if it is a time (`for 7:30`, `for 8 in the evening`), a day or a length.
    func headcountEnd(at index: Int) -> Int? {
        guard has(index, .for), let count = grammar.cardinal(at: index + 1), count.value < 1000,
            !has(index + 1, [.article, .indefinite]), grammar.endsWord(count.end),
            grammar.amount(at: index + 1) == nil, grammar.ordinal(at: index + 1) == nil,
            grammar.clocks(at: index + 1).allSatisfy({ $0.value.isBare && $0.end <= count.end })
        else { return nil }
        let end = count.end
        guard let next = token(end) else { return end }
        if next.isMark(45) || next.isNumber || next.sense.month != nil { return nil }
        if next.has([.through, .to, .of, .manner, .hundred, .thousand]) { return nil }
        let isTimed = grammar.pieces(at: end).contains { $0.reading.traits == .part }
        return isTimed && next.sense.part == nil ? nil : end
    }

    /// Whether a day follows without a time, as in `late tomorrow afternoon`.
    private func isPartOfDay(_ index: Int) -> Bool {
        grammar.phrases(at: index).contains {
            $0.reading.hasDay
                && $0.reading.traits.isSubset(of: [.relativeDay, .weekday, .part, .isPast])
        }
    }

    /// `start` is a marker beside its date, and a verb elsewhere: `let's start`.
    private func isStartMarker(_ index: Int) -> Bool {
        // `Protokoll vom Montag`, `seit Montag`: it is over.
        if tokens[index].has([.of, .since]) { return false }
        guard tokens[index].has(.start) else { return true }
        if let before = token(index - 1), before.has([.contraction, .function]) { return false }
        return !has(index + 1, [.on, .at, .in])
    }
}
