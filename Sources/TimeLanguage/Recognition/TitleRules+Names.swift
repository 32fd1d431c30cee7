extension TitleRules {
    /// Whether it is a name, or a part of one.
    func isPartOfName(_ phrase: Grammar.Piece, _ lead: Lead, from start: Int) -> Bool {
        let (end, traits) = (phrase.end, phrase.reading.traits)
        if isSubject(traits, start, end) { return true }
        if isLoud { return false }
        let isTimed = traits.contains(.clock) && phrase.reading.hasDay
        if let media, media < start, !isTimed {
            // `Read 11/22/63`, `Watch the Today Show`
            let isDirect =
                start - media == 1 || (start - media == 2 && has(media + 1, [.article, .to]))
            // `Book for friday` is no book.
            if isDirect, !lead.isFor, !lead.isMarked || tokens[start].isCapital { return true }
            let before = contentWord(before: start)
            if token(before)?.isCapital == true, before > media,
                tokens[lead.end].isCapital || (lead.isOn && before == start - 1)
            {
                return true
            }
        }
        // `Fourth of July by Sufjan Stevens`
        if isLineStart(start), !isTimed, isBeforeAuthor(end) { return true }
        // Words that are small in a sentence.
        for index in max(1, start)..<end where isNameWord(tokens[index]) {
            let isLast = isLineEnd(end) && end - lead.end == 1
            if !isLast || token(start - 1)?.isCapital == true && start > 2 { return true }
        }
        // `Friday Night Lights`, `Monday Club`
        if let next = token(end), next.kind == .word, next.hasSpace, next.isCapital,
            tokens[end - 1].isCapital, !lead.isDue, !isTimed,
            traits.isDisjoint(with: [.fullDate, .monthDay, .amount]),
            !(grammar.table.hasCapitalNouns && isLineStart(start)
                && (lead.isOn || traits == .relativeDay || end - start > 1))
        {
            return true
        }
        return false
    }

    /// Whether `by` and a name follow.
    func isBeforeAuthor(_ end: Int) -> Bool {
        guard has(end, .due), has(end, .function), let author = token(end + 1) else { return false }
        return author.isCapital && !author.isUpper && grammar.phrases(at: end + 1).isEmpty
    }

    /// The index of the word before, without commas, `and` and articles between.
    private func contentWord(before start: Int) -> Int {
        var at = start - 1
        while at > 0, tokens[at].isMark(",") || tokens[at].has([.and, .article]) { at -= 1 }
        return at
    }

    /// Whether it is the subject of a sentence: `Tomorrow is another day`.
    private func isSubject(_ traits: Reading.Traits, _ start: Int, _ end: Int) -> Bool {
        isLineStart(start) && has(end, .verb)
            && traits.isDisjoint(with: [.fullDate, .monthDay, .clock])
    }

    /// Whether a word with a capital is unusual there.
    func isNameWord(_ token: Token) -> Bool {
        guard token.kind == .word, token.isCapital, !token.isUpper, token.range.count > 1 else {
            return false
        }
        let sense = token.sense
        if grammar.table.hasCapitalNouns { return false }
        if expressions.contains(where: { $0.contains(token.range.lowerBound) }) { return false }
        return sense.weekday == nil && sense.month == nil && sense.holiday == nil
            && sense.zone == nil && !token.has([.am, .pm, .week]) && !isHolidayWord(token)
    }

    private func isHolidayWord(_ token: Token) -> Bool {
        grammar.tokens.vocabulary.phrases(from: token.key).contains { $0.sense.holiday != nil }
            || token.key == "day" || token.key == "eve"
    }

    /// `Tom`, `Sun`: with a capital inside of a sentence it may be a name.
    func isCommonName(_ index: Int) -> Bool {
        tokens[index].has(.common) && tokens[index].sense.day != nil && tokens[index].isCapital
    }
}
