extension Grammar {
    /// Pieces side by side that go together, with the words that join them; the longest first.
    ///
    /// - Complexity: at most ``width`` readings are kept for each number of pieces.
    func makePhrases(at index: Int, level: Int) -> [Piece] {
        var done: [Piece] = []
        var open = pieces(at: index, level: level)
        var steps = 0
        while !open.isEmpty, steps < 6 {
            var next: [Piece] = []
            for piece in open {
                if !done.contains(piece) { done.append(piece) }
                for start in joints(after: piece.end) {
                    // `friday (jun 15)`
                    let isOpen = isMark(start - 1, "(") && start > piece.end
                    for other in pieces(at: start, level: level)
                    where other.end - index <= Grammar.longest {
                        if isOpen, !isMark(other.end, ")") { continue }
                        guard let joined = join(piece.reading, other.reading) else { continue }
                        let both = Piece(joined, other.end + (isOpen ? 1 : 0))
                        if next.count < Grammar.width, !next.contains(both) { next.append(both) }
                    }
                }
            }
            open = next
            steps += 1
        }
        let whole = done.filter { isComplete($0.reading) }.map { piece in
            // Before five in the morning it may be this night or the coming afternoon.
            guard !isField, resolver.isNightOpen(piece.reading) else { return piece }
            var open = piece
            open.reading.problem = "it may be in the night or in the afternoon"
            return open
        }
        return whole.sorted { first, second in
            first.end != second.end
                ? first.end > second.end
                : hasHourOfPart(first, from: index) && !hasHourOfPart(second, from: index)
        }
    }

    /// Whether a number directly before a part of the day is its hour and a day is said beside it:
    /// `10 february 8 in the evening`, which is not 8 February, 10 in the evening.
    private func hasHourOfPart(_ piece: Piece, from index: Int) -> Bool {
        let reading = piece.reading
        guard reading.part != nil, let clock = reading.clock, clock.isBare,
            reading.month == nil || reading.day != nil
        else { return false }
        return (index..<piece.end).contains { at in
            guard has(at, .in), sense(at + 1)?.part != nil || sense(at + 2)?.part != nil,
                let number = token(at - 1), number.isNumber
            else { return false }
            return number.value == clock.hour && reading.day != number.value
        }
    }

    private static let width = 16

    /// The places where a further piece may begin: directly after, or after a comma, a dash, `on`,
    /// `of`.
    private func joints(after end: Int) -> [Int] {
        var places = [end]
        var at = end
        if isMark(at, "."), isGlued(at) {
            at += 1
            places.append(at)
        }
        // The dash of `3.12.-5.12.` stands for `to`.
        let isTo =
            isGlued(at) && isGlued(at + 1) && token(at + 1)?.isNumber == true
            && !isMark(at - 1, ")")
        if isMark(at, "(") { return [at + 1] }
        if isMark(at, ",") || (isMark(at, "-") && !isTo) {
            at += 1
            places.append(at)
        }
        let isFrom = has(at, .from) && sense(at + 1)?.turn != nil && sense(at + 2)?.unit == .week
        if has(at, [.on, .of]) || isFrom || (has(at, .for) && isClock(at + 1)) {
            places.append(at + 1)
        }
        return places
    }

    /// Whether a time of the day follows, as in `for 9am`.
    private func isClock(_ index: Int) -> Bool { clocks(at: index).contains { !$0.value.isBare } }

    private func join(_ first: Reading, _ second: Reading) -> Reading? {
        guard first.traits.isDisjoint(with: [.bareAmount, .now]),
            second.traits.isDisjoint(with: [.bareAmount, .now])
        else { return nil }
        // `tomorrow` and an exact moment (`today in one hour`) agree or not.
        if let moment = second.moment ?? first.moment {
            let other = second.moment == nil ? second : first
            guard other.moment == nil, !other.hasTime, other.hasDay,
                case .day(let day) = resolver.day(other), day == resolver.day(of: moment)
            else { return nil }
            var sum = first.moment == nil ? second : first
            sum.traits.formUnion(other.traits)
            return sum
        }
        // `the second sunday` is not a Sunday that is the 2nd, as `sunday the 2nd` is.
        if first.traits.contains(.ordinal), first.weekday == nil, first.month == nil,
            first.day ?? 9 <= 5, second.traits.contains(.weekday), second.day == nil
        {
            return nil
        }
        // `release 2.4 on friday`
        if first.traits == [.twoNumbers, .point], second.traits.contains(.weekday) { return nil }
        // `1200 tomorrow` is a number beside a day.
        if first.traits.contains(.bareNumber), second.hasDay, first.part == nil { return nil }
        // A second part of the day may repeat the first: `this morning … in the morning`.
        return first.joined(with: second)
    }

    /// Whether nothing is missing: a bare number is a time only with a part of the day.
    private func isComplete(_ reading: Reading) -> Bool {
        // `april at 4pm`
        if reading.month != nil, reading.day == nil, reading.period == nil, reading.clock != nil,
            reading.weekday == nil
        {
            return false
        }
        guard reading.traits.contains(.bareClock), let clock = reading.clock else { return true }
        // `24 tonight` is a number.
        if reading.part != nil { return clock.hour <= 12 || clock.hasMinutes }
        // `22.12` alone is a date.
        if reading.traits.contains(.point), !reading.hasDay { return false }
        if reading.traits.contains(.bareNumber) {
            return reading.traits.contains(.fourDigits) && reading.hasDay
                && reading.month == nil && reading.day == nil
                && reading.traits.isDisjoint(with: [.fullDate, .year, .period, .holiday])
        }
        return clock.minute != 0 || clock.hasMinutes
    }
}
