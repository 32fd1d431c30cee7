public import CivilTime
import DocketFormats

extension CapturedItem {
    /// One value of a captured item, as a person says it.
    public struct Part: Hashable, Sendable {
        public var kind: TokenKind
        public var text: String

        public init(_ kind: TokenKind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// Every value beside the title, in words: `due Tue 24 Nov 9:15`, `Home`, `#phone`,
    /// `every 6 months`.
    ///
    /// - Parameters:
    ///   - context: the day from which dates count.
    ///   - isListNew: whether its list does not exist yet.
    ///   - newTags: those of its tags that do not exist yet.
    /// - Returns: the values in the order of the screen.
    public func parts(
        _ context: DateContext,
        isListNew: Bool = false,
        newTags: Set<String> = []
    ) -> [Part] {
        let format = DateFormat(context: context)
        var parts: [Part] = []
        if let start, let end, start != end {
            parts.append(Part(.due, format.absolute(from: start, to: end)))
        } else {
            if let due { parts.append(Part(.due, localized("due \(format.absolute(due))"))) }
            if let start {
                parts.append(Part(.start, localized("starts \(format.absolute(start))")))
            }
        }
        if let estimate { parts.append(Part(.estimate, Estimate.text(seconds: estimate * 60))) }
        if let reminder {
            let length = CapturedItem.words(minutes: reminder)
            parts.append(Part(.reminder, localized("reminds \(length) before")))
        }
        if !list.isEmpty {
            parts.append(
                Part(.list, (isListNew ? localized("new list ") : "") + ListPath.string(list))
            )
        }
        parts += tags.map {
            Part(.tag, (newTags.contains($0) ? localized("new tag ") : "") + "#\($0)")
        }
        if priority > 0 {
            parts.append(
                Part(.priority, localized("\(ItemChange.priorityName(priority)) priority"))
            )
        }
        if let location { parts.append(Part(.location, "@\(location)")) }
        if !waits.isEmpty { parts.append(Part(.waits, localized("waits for \(Self.list(waits))"))) }
        if !blocks.isEmpty { parts.append(Part(.blocks, localized("blocks \(Self.list(blocks))"))) }
        if let recurrence { parts.append(Part(.recurrence, recurrence)) }
        return parts
    }

    /// `2 weeks`, `30 min`.
    static func words(minutes: Int) -> String {
        for (length, unit) in [(10_080, "week"), (1440, "day")] where minutes % length == 0 {
            return Phrase(minutes / length, unit).text
        }
        return Estimate.text(seconds: minutes * 60)
    }

    /// Numbers of tasks: `3, 12`.
    private static func list(_ numbers: [Int64]) -> String {
        numbers.map(ShortID.string).joined(separator: ", ")
    }

    /// ``parts(_:)`` in one line, with points between.
    public func words(_ context: DateContext, isListNew: Bool = false) -> String {
        parts(context, isListNew: isListNew).map(\.text).joined(separator: " · ")
    }
}
