extension DateMatcher {
    /// A time of day, with or without `at` before it; `afterDay` is true if a day precedes it, so
    /// that `morning` has a meaning.
    func timePiece(at start: Int, afterDay: Bool) -> Piece<TimeValue>? {
        guard var word = words.word(start) else { return nil }
        var at = start
        let isAt = word.full == "at"
        if isAt {
            at += 1
            guard let next = words.word(at) else { return nil }
            word = next
        }
        if let second = DateMatcher.namedTime(word.key, afterDay: afterDay || isAt) {
            return timePiece(.second(second), word, end: at + 1)
        }
        guard let clock = Clock(word.key) else { return nil }
        if clock.half == nil, word.tail == 0, let next = words.word(at + 1),
            let half = Clock.half(next.key)
        {
            return timePiece(clock.second(half: half), next, end: at + 2)
        }
        if let half = clock.half {
            return timePiece(clock.second(half: half), word, end: at + 1)
        }
        guard clock.minute != nil || isAt else { return nil }
        return timePiece(clock.second(half: nil), word, end: at + 1)
    }

    private func timePiece(
        _ value: TimeValue,
        _ word: PhraseWords.Word,
        end: Int
    ) -> Piece<TimeValue> {
        Piece(value: value, end: end, tail: word.tail, continues: word.continues)
    }

    private static func namedTime(_ key: String, afterDay: Bool) -> Int? {
        switch key {
        case "noon": 12 * 3600
        case "midnight": 0
        case "morning" where afterDay: 9 * 3600
        case "afternoon" where afterDay: 15 * 3600
        case "evening" where afterDay: 18 * 3600
        case "night" where afterDay: 20 * 3600
        default: nil
        }
    }

    /// `9`, `9:30`, `9.30am`, `5pm`, `17:00:30`.
    struct Clock {
        enum Half {
            case morning
            case afternoon
        }

        var hour: Int
        var minute: Int?
        var seconds = 0
        var half: Half?

        static func half(_ key: String) -> Half? {
            switch key {
            case "am", "a.m": .morning
            case "pm", "p.m": .afternoon
            default: nil
            }
        }

        init?(_ key: String) {
            var text = Substring(key)
            half = nil
            if text.hasSuffix("am") || text.hasSuffix("pm") {
                half = text.hasSuffix("am") ? .morning : .afternoon
                text = text.dropLast(2)
            }
            let mark: Character = text.contains(":") || half == nil ? ":" : "."
            let parts = text.split(separator: mark, omittingEmptySubsequences: false).map(
                String.init
            )
            guard parts.count <= 3, let hour = DateMatcher.digits(parts[0], atMost: 2) else {
                return nil
            }
            self.hour = hour
            for (index, part) in parts.enumerated().dropFirst() {
                guard part.utf8.count == 2, let value = DateMatcher.digits(part, atMost: 2) else {
                    return nil
                }
                if index == 1 { minute = value } else { seconds = value }
            }
        }

        /// Seconds after midnight; 24:00 is the end of the day.
        func second(half: Half?) -> TimeValue {
            let minute = minute ?? 0
            var hour = hour
            if let half {
                guard (1...12).contains(hour) else {
                    return .impossible("with am or pm the hour goes from 1 to 12")
                }
                hour = hour % 12 + (half == .afternoon ? 12 : 0)
            }
            let isEndOfDay = hour == 24 && minute == 0 && seconds == 0
            guard hour < 24 || isEndOfDay, minute < 60, seconds < 60 else {
                return .impossible("a clock goes from 0:00 to 23:59")
            }
            return .second(hour * 3600 + minute * 60 + seconds)
        }
    }
}
