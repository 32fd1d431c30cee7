extension TitleRules {
    /// The words before a phrase that go with it.
    struct Lead {
        /// The index of the phrase.
        var end: Int
        /// `due`, `by`, `until`.
        var isDue = false
        /// `from`, `starting`.
        var isStart = false
        /// `on`.
        var isOn = false
        var isFor = false
        var isArticle = false
        /// `to`, behind a verb of moving.
        var isTarget = false
        /// `around`.
        var isAbout = false

        var isMarked: Bool { isDue || isStart || isOn }
    }

    /// What a word before a phrase makes of it; the first row that holds.
    static let leads: [(mark: any WritableKeyPath<Lead, Bool> & Sendable, row: PlaceRow)] = [
        (
            \.isArticle,
            // `A friday` is no date.
            PlaceRow("the", "Pay [by the monday]", "Pay by a monday") {
                $0.first.has(.article) && !["a", "an"].contains($0.first.key)
            }
        ),
        (
            \.isDue,
            PlaceRow("by, due, until", "Print [by friday] flyers", "Print friday flyers") {
                $0.first.has(.due) && !$0.first.isPossessive
            }
        ),
        (
            \.isStart,
            PlaceRow("from, starting", "Physio exercises [from tomorrow]", "Start from scratch") {
                $0.isStartMarker
            }
        ),
        (
            \.isTarget,
            PlaceRow("to, behind a verb of moving", "Move call [to the 5th]", "Walk to the 5th") {
                $0.isTarget
            }
        ),
        (
            \.isOn,
            PlaceRow("on", "[On friday] call Ana", "Hold on at 9 Elm Street") {
                $0.first.has(.on) && !$0.rules.has($0.start + 1, [.at, .about])
            }
        ),
        (
            \.isOn,
            PlaceRow("at a holiday", "Call Ana [at christmas] and Bob", "Call Ana at friday shop") {
                $0.first.has(.at) && $0.isBeforeFeast
            }
        ),
        (\.isFor, PlaceRow("for", "Order cake [for friday]", "Vote for 3") { $0.first.has(.for) }),
        (
            \.isAbout,
            PlaceRow("around", "Call Ana [sometime tomorrow]", "Sing about it") { $0.isRoughly }
        ),
        (
            \.isAbout,
            PlaceRow("early, late, later", "Call Ana [later today]", "Call Ana later") {
                ($0.first.has(.later) && $0.rules.isTime($0.start + 1))
                    || ($0.first.has(.early) && $0.isBeforePartOfDay)
            }
        ),
    ]

    /// Each word of ``leads`` has one of these.
    private static let leading: Roles = [
        .article, .due, .from, .to, .on, .at, .for, .about, .later, .early,
    ]

    /// `due on`, `by the`, `around`: the words before a phrase.
    func lead(at index: Int) -> Lead {
        var lead = Lead(end: index)
        while lead.end < index + 4, !lead.isArticle, token(lead.end)?.kind == .word {
            // `no later than`, `not before`
            if let words = tokens.phrase(at: lead.end),
                !words.sense.roles.isDisjoint(with: [.due, .from])
            {
                let isDue = words.sense.roles.contains(.due)
                if isDue { lead.isDue = true } else { lead.isStart = true }
                lead.end = words.end
                continue
            }
            guard tokens[lead.end].has(TitleRules.leading) else { break }
            let place = PlaceInTitle(rules: self, start: lead.end, end: lead.end + 1)
            guard let found = TitleRules.leads.first(where: { holds([$0.row], place) }),
                found.mark as WritableKeyPath != \.isTarget || lead.end == index
            else { break }
            lead[keyPath: found.mark] = true
            lead.end += 1
            if lead.isDue, grammar.isMark(lead.end, ":") { lead.end += 1 }
        }
        // An article belongs to the phrase, which knows whether it may have one.
        if lead.isArticle, !grammar.phrases(at: lead.end - 1).isEmpty {
            lead.end -= 1
            lead.isArticle = false
        }
        // `in` is not a lead; `on` without a phrase is none either.
        return grammar.phrases(at: lead.end).isEmpty ? Lead(end: index) : lead
    }

    /// Whether a time alone is that of a holiday with which the title begins, and which is a part of
    /// its name: `Good Friday service 10am`.
    func isOfFeast(_ reading: Reading) -> Bool {
        let start = grammar.afterArticle(0)
        guard !reading.hasDay, reading.hasTime, reading.moment == nil, let first = token(start)
        else { return false }
        return (tokens.phrase(at: start)?.sense ?? first.sense).holiday != nil
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
}

extension PlaceInTitle {
    /// Whether a holiday or the weekend follows, at which something can be: `at christmas`.
    fileprivate var isBeforeFeast: Bool {
        rules.grammar.pieces(at: start + 1).contains { piece in
            piece.reading.traits == .holiday
                || (piece.reading.traits == .period && piece.reading.period?.unit == .weekend)
        }
    }

    /// Whether the date to which an appointment is moved follows: `to`, without a `from` before it.
    fileprivate var isTarget: Bool {
        guard let moves = rules.moves, moves < start, start < rules.movesFrom else { return false }
        // `Reschedule the 9:30 to 10:30`
        let isRange = rules.token(start - 1)?.isNumber == true
        return first.has(.to) && first.has(.through) && !isRange
    }

    /// `around friday`, `about 5`; but `talk about friday`.
    fileprivate var isRoughly: Bool {
        guard first.has(.about) else { return false }
        return !first.has(.function) || rules.grammar.cardinal(at: start + 1) != nil
    }

    /// Whether a day follows without a time, as in `late tomorrow afternoon`.
    fileprivate var isBeforePartOfDay: Bool {
        rules.grammar.phrases(at: start + 1).contains {
            $0.reading.hasDay
                && $0.reading.traits.isSubset(of: [.relativeDay, .weekday, .part, .isPast])
        }
    }

    /// `start` is a marker beside its date, and a verb elsewhere: `let's start`.
    fileprivate var isStartMarker: Bool {
        // `Protokoll vom Montag`, `seit Montag`: it is over.
        guard first.has(.from), !first.has([.of, .since]) else { return false }
        guard first.has(.start) else { return true }
        if rules.has(start - 1, [.contraction, .function]) { return false }
        return !rules.has(start + 1, [.on, .at, .in])
    }
}
