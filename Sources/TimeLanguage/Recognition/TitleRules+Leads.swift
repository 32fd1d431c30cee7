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
            if token.has(.article), !lead.isArticle {
                lead.isArticle = true
            } else if lead.isArticle {
                break
            } else if token.has(.due), !token.isPossessive {
                lead.isDue = true
            } else if token.has(.from), isStartMarker(lead.end) {
                lead.isStart = true
            } else if token.has(.on) {
                lead.isOn = true
            } else if token.has(.for) {
                lead.isFor = true
            } else if token.has(.about) || (token.has(.later) && isTime(lead.end + 1)) {
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

    /// `start` is a marker beside its date, and a verb elsewhere: `let's start`.
    private func isStartMarker(_ index: Int) -> Bool {
        guard tokens[index].has(.start) else { return true }
        if let before = token(index - 1), before.has([.contraction, .function]) { return false }
        return !has(index + 1, [.on, .at, .in])
    }
}
