extension InputDecoder {
    /// `ESC [ ? … final`: answers about the keyboard and about modes; others are ignored.
    func finishReport(_ body: ArraySlice<UInt8>, final: UInt8, into events: inout [InputEvent]) {
        let numbers = fields(body).map { $0.first ?? 0 }
        switch final {
        case UInt8(ascii: "u"):
            events.append(.report(.keyboardFlags(numbers.first ?? 0)))
        case UInt8(ascii: "c"): events.append(.report(.attributes(numbers)))
        case UInt8(ascii: "y") where body.last == UInt8(ascii: "$") && numbers.count == 2:
            events.append(.report(.mode(numbers[0], state: numbers[1])))
        default: break
        }
    }

    /// The report in the body of an operating system command: `11;rgb:1e1e/1e1e/1e1e`.
    func report(of body: [UInt8]) -> TerminalReport? {
        let text = String(decoding: body, as: UTF8.self)
        guard let separator = text.firstIndex(of: ";") else { return nil }
        let value = text[text.index(after: separator)...]
        guard let color = color(value) else { return nil }
        switch text[..<separator] {
        case "10": return .foreground(color)
        case "11": return .background(color)
        default: return nil
        }
    }

    /// `rgb:h/h/h` with one to four hexadecimal digits each, `rgba:` likewise, or `#rrggbb`.
    private func color(_ text: Substring) -> Color? {
        var parts: [Substring]
        if text.hasPrefix("rgb:") || text.hasPrefix("rgba:") {
            guard let colon = text.firstIndex(of: ":") else { return nil }
            parts = text[text.index(after: colon)...].split(
                separator: "/",
                omittingEmptySubsequences: false
            )
        } else if text.hasPrefix("#"), text.utf8.count == 7 {
            let digits = Array(text.dropFirst())
            guard digits.count == 6 else { return nil }
            parts = stride(from: 0, to: 6, by: 2).map { Substring(digits[$0..<$0 + 2]) }
        } else {
            return nil
        }
        parts = Array(parts.prefix(3))
        let bytes = parts.compactMap { part -> UInt8? in
            guard (1...4).contains(part.utf8.count), let value = Int(part, radix: 16), value >= 0
            else { return nil }
            let most = (1 << (4 * part.utf8.count)) - 1
            return UInt8(value * 255 / most)
        }
        return bytes.count == 3 ? .rgb(bytes[0], bytes[1], bytes[2]) : nil
    }
}

extension Color {
    /// Whether the colour is light, so that dark text is readable on it.
    public var isLight: Bool {
        guard let parts else { return false }
        // Luma by the weights of ITU-R BT.709.
        let luma = 2126 * Int(parts.red) + 7152 * Int(parts.green) + 722 * Int(parts.blue)
        return luma > 10_000 * 128
    }
}
