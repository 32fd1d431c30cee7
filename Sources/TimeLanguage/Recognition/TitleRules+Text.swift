import CivilTime

extension TitleRules {
    /// Whether its neighbours make it something else: a number of things, a version, an address.
    func isText(_ phrase: PhraseInTitle) -> Bool { holds(TitleRules.text, phrase) }

    static let text: [TitleRule] = [
        TitleRule("an amount of money", "I bought it for $ 12 December 27") { phrase in
            phrase.rules.isMoney(phrase.start) || phrase.rules.isMoney(phrase.lead.end)
        },
        TitleRule("a person with a title", "Meet Dr. Friday") { phrase in
            let (grammar, start) = (phrase.grammar, phrase.start)
            return start > 1 && grammar.isMark(start - 1, ".")
                && phrase.rules.token(start - 2)?.sense.use == .title
                && phrase.tokens[start].isCapital
        },
        TitleRule("what somebody has", "Cancel my 3 o'clock") { $0.rules.isOwned($0) },
        TitleRule("the owner of what follows", "Prepare tomorrow's agenda") { phrase in
            phrase.rules.token(phrase.end - 1)?.isPossessive == true
                && (phrase.reading.traits != .holiday || !phrase.rules.isBoundary(phrase.end))
        },
        TitleRule("the number of a thing", "Read John 3:16") { $0.rules.isNumberBehindNoun($0) },
        TitleRule("the number of a thing behind a verb", "Scale is 1:30") { phrase in
            phrase.first.isNumber && phrase.rules.has(phrase.start - 1, .verb)
                && phrase.rules.has(phrase.start - 2, .counted)
        },
        TitleRule("a temperature", "Roast at 220") { phrase in
            phrase.rules.isTemperature(phrase.phrase, from: phrase.start)
        },
        TitleRule("a thing with an article", "Write a today button") { $0.rules.isThing($0) },
        TitleRule("a number of things", "Friday 3 people for dinner at 7") { phrase in
            phrase.next?.kind == .word && phrase.next?.has(.counted) == true
        },
    ]
}
