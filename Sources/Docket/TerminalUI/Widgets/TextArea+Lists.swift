// Lists of Markdown while they are typed: Enter begins the next item, in an empty item it ends the
// list, one level at a time.

extension TextArea {
    /// What begins an item of a list, or a quote.
    struct ItemLead: Equatable {
        /// The blanks before the sign.
        var indent: Substring
        /// The sign of the next item, with a blank and an empty box if it has one.
        var next: String
        /// Where the item's own text begins, in bytes of the line.
        var end: Int
        /// How far an item inside of this one is indented.
        var width: Int

        /// `nil` if the line is not an item.
        init?(_ line: String) {
            indent = line.prefix { $0 == " " || $0 == "\t" }
            var rest = line[indent.endIndex...]
            let sign: String
            if let first = rest.first, "-*+>".contains(first) {
                sign = String(first)
                rest = rest.dropFirst()
            } else {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                rest = rest.dropFirst(digits.count)
                guard digits.count < 10, let number = Int(digits), let end = rest.first,
                    end == "." || end == ")"
                else { return nil }
                sign = "\(number + 1)\(end)"
                rest = rest.dropFirst()
            }
            let blanks = rest.prefix { $0 == " " }
            guard !blanks.isEmpty || rest.isEmpty && sign == ">" else { return nil }
            rest = rest.dropFirst(blanks.count)
            next = sign + " "
            width = sign.count + 1
            let box = rest.prefix(3).lowercased()
            if sign != ">", box == "[ ]" || box == "[x]",
                rest.dropFirst(3).first.map({ $0 == " " }) ?? true
            {
                next += "[ ] "
                rest = rest.dropFirst(3).drop { $0 == " " }
            }
            end = line.utf8.distance(from: line.startIndex, to: rest.startIndex)
        }
    }

    /// Ends the line at the cursor, and begins the next item of a list.
    mutating func insertLineEnd() {
        let text = lines[cursor.line].text
        guard let lead = ItemLead(text), cursor.offset >= lead.end else { return insert("\n") }
        let isEmpty = text.utf8.dropFirst(lead.end).allSatisfy { $0 == 0x20 }
        guard isEmpty else { return insert("\n\(lead.indent)\(lead.next)") }
        if !lead.indent.isEmpty, indent(by: -1) { return }
        remove(
            from: Cursor(line: cursor.line, offset: 0),
            to: Cursor(line: cursor.line, offset: text.utf8.count)
        )
    }

    /// Moves an item of a list to the right or to the left by what its sign takes.
    ///
    /// - Parameter steps: 1 for to the right, -1 for to the left.
    /// - Returns: whether the line is an item that can be moved that way.
    public mutating func indent(by steps: Int) -> Bool {
        let text = lines[cursor.line].text
        guard let lead = ItemLead(text), !lead.next.hasPrefix(">") else { return false }
        let offset = cursor.offset
        if steps > 0 {
            lines[cursor.line] = wrappedLine(String(repeating: " ", count: lead.width) + text)
            cursor.offset = offset + lead.width
        } else {
            let isTab = text.hasPrefix("\t")
            let count = isTab ? 1 : text.prefix(lead.width).prefix { $0 == " " }.count
            if count == 0 { return false }
            lines[cursor.line] = wrappedLine(String(text.dropFirst(count)))
            cursor.offset = max(0, offset - count)
        }
        aim = nil
        return true
    }

    /// Sets the text and puts the cursor behind what differs from the text before.
    ///
    /// - Complexity: O(length of both texts).
    public mutating func replace(with new: String) {
        let old = text
        if old == new { return }
        text = new
        if old.isEmpty { return }
        let (before, after) = (Array(old.utf8), Array(text.utf8))
        let same = zip(before, after).prefix { $0 == $1 }.count
        let rest = min(before.count, after.count) - same
        let end = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let place = after.prefix(after.count - end)
        let line = place.count { $0 == 0x0A }
        let start = place.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        moveCursor(to: Cursor(line: line, offset: place.count - start))
    }
}
