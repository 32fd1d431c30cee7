import TerminalUI

// Three steps: lines are classified by their beginning (heading, list, quote, fence, rule, text);
// the inline signs of each are read into runs; runs are wrapped to the width, with a hanging indent
// after list signs. Text without Markdown does not change.

/// Shows the usual parts of Markdown in a terminal: headings, emphasis, lists, check boxes, quotes,
/// code, rules and links.
///
/// - Complexity: O(length of the text).
struct MarkdownRenderer {
    let columns: Int
    let signs: Signs
    let symbols: Symbols

    func lines(_ text: String) -> [RichLine] {
        var result: [RichLine] = []
        var fence: Substring?
        for raw in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = DisplayWidth.sanitize(String(raw)).replacing("\t", with: "    ")
            let trimmed = line.drop { $0 == " " }
            if let open = fence {
                if trimmed.hasPrefix(open), trimmed.allSatisfy({ $0 == open.first || $0 == " " }) {
                    fence = nil
                } else {
                    result += code(line)
                }
                continue
            }
            if let mark = fenceMark(trimmed) {
                fence = mark
                continue
            }
            result += block(line, trimmed)
        }
        return result
    }

    private func fenceMark(_ line: Substring) -> Substring? {
        guard let sign = line.first, sign == "`" || sign == "~" else { return nil }
        let mark = line.prefix { $0 == sign }
        return mark.count >= 3 ? mark : nil
    }

    /// Code is cut into rows at any character, because its blanks matter.
    private func code(_ line: String) -> [RichLine] {
        DisplayWidth.wrapped(line, columns: max(1, columns - 2)).map {
            RichLine(runs: [.init(text: "  " + String($0), role: .code)])
        }
    }

    private func block(_ line: String, _ trimmed: Substring) -> [RichLine] {
        if trimmed.isEmpty { return [RichLine()] }
        if isRule(trimmed) {
            let sign = String(repeating: Character(symbols.horizontal), count: max(1, columns))
            return [.plain(sign, .border)]
        }
        if let heading = heading(trimmed) { return heading }
        let indent = line.utf8.count - trimmed.utf8.count
        if trimmed.first == ">" {
            let text = trimmed.dropFirst().drop { $0 == " " }
            return wrap(inline(String(text), .dim), lead: "\(signs.quote) ", role: .dim, indent: 0)
        }
        if let (lead, role, rest) = listItem(trimmed) {
            let struck: Role = role == .done ? .done : .text
            return wrap(
                inline(String(rest), struck),
                lead: lead,
                role: role,
                indent: min(indent, 12)
            )
        }
        return wrap(inline(String(trimmed), .text), lead: "", role: .text, indent: 0)
    }

    private func isRule(_ line: Substring) -> Bool {
        let signs = line.filter { $0 != " " }
        guard let first = signs.first, signs.count >= 3 else { return false }
        return "-*_".contains(first) && signs.allSatisfy { $0 == first }
    }

    private func heading(_ line: Substring) -> [RichLine]? {
        let level = line.prefix { $0 == "#" }.count
        let rest = line.dropFirst(level)
        guard (1...6).contains(level), rest.first == " " else { return nil }
        var text = rest.drop { $0 == " " }
        while text.last == "#" || text.last == " " { text.removeLast() }
        return wrap(
            inline(String(text), level <= 2 ? .heading : .title),
            lead: "",
            role: .heading,
            indent: 0
        )
    }

    /// The shown sign of a list's item, its role, and the item's text.
    private func listItem(_ line: Substring) -> (lead: String, role: Role, rest: Substring)? {
        if let first = line.first, "-*+".contains(first), line.dropFirst().first == " " {
            let rest = line.dropFirst(2).drop { $0 == " " }
            let box = rest.prefix(4).lowercased()
            if box.hasPrefix("[ ]") {
                return ("\(signs.boxOpen) ", .text, rest.dropFirst(3).drop { $0 == " " })
            }
            if box.hasPrefix("[x]") {
                return ("\(signs.boxDone) ", .done, rest.dropFirst(3).drop { $0 == " " })
            }
            return ("\(signs.bullet) ", .dim, rest)
        }
        let number = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(number.count)
        guard !number.isEmpty, number.count < 10, rest.first == "." || rest.first == ")",
            rest.dropFirst().first == " "
        else { return nil }
        return ("\(number)\(rest.prefix(1)) ", .dim, rest.dropFirst(2))
    }

    private func inline(_ text: String, _ role: Role) -> [RichLine.Run] {
        var reader = MarkdownInline(text, role: role)
        return reader.runs()
    }

    private func wrap(
        _ runs: [RichLine.Run],
        lead: String,
        role: Role,
        indent: Int
    ) -> [RichLine] {
        let hang = indent + DisplayWidth.of(lead)
        let room = max(1, columns - hang)
        var lines = RichWrap.wrap(runs, columns: room)
        if lines.isEmpty { lines = [RichLine()] }
        let blanks = String(repeating: " ", count: hang)
        for index in lines.indices {
            let text = index == 0 ? String(repeating: " ", count: indent) + lead : blanks
            if !text.isEmpty { lines[index].runs.insert(.init(text: text, role: role), at: 0) }
        }
        return lines
    }
}
