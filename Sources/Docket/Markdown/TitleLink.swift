/// A link to an item by its title, `[[title]]`, in a text.
///
/// Rule: a link is on one line, its title is not blank and has no brackets. In code, whether in a
/// fence or between backquotes, and behind a backslash there are no links.
public struct TitleLink: Hashable, Sendable {
    /// The whole link, in bytes of the text.
    public let range: Range<Int>
    /// The title without blanks at its ends.
    public let title: String

    /// The links of a text, in their order.
    ///
    /// - Complexity: O(length of the text); a text without `[[` is read once, in a fast loop.
    public static func all(in text: String) -> [TitleLink] {
        var text = text
        return text.withUTF8(all)
    }

    static func all(in bytes: UnsafeBufferPointer<UInt8>) -> [TitleLink] {
        guard hasSign(bytes) else { return [] }
        var links: [TitleLink] = []
        var fence = Fence()
        var place = 0
        while place < bytes.count {
            let end = bytes.lineEnd(from: place)
            if !fence.take(place..<end, of: bytes) { find(in: place..<end, of: bytes, &links) }
            place = bytes.nextLine(after: end)
        }
        return links
    }

    /// Whether a title can be written as a link.
    public static func canName(_ title: String) -> Bool {
        let links = all(in: "[[\(title)]]")
        return links.count == 1 && links[0].range.count == title.utf8.count + 4
    }

    /// The text with other links in place of some.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - title: the new title of a link, `nil` to leave the link as it is.
    /// - Returns: the new text; `nil` if no link gets another title.
    public static func replacing(
        in text: String,
        _ title: (TitleLink) -> String?
    ) -> String? {
        var result: [UInt8] = []
        var end = 0
        let bytes = Array(text.utf8)
        for link in all(in: text) {
            guard let new = title(link) else { continue }
            result += bytes[end..<link.range.lowerBound]
            result += "[[\(new)]]".utf8
            end = link.range.upperBound
        }
        if end == 0 { return nil }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    private static func hasSign(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let sign = UInt8(ascii: "[")
        var place = 1
        // Every second byte decides.
        while place < bytes.count {
            if bytes[place] == sign {
                if bytes[place - 1] == sign || (place + 1 < bytes.count && bytes[place + 1] == sign)
                {
                    return true
                }
            }
            place += 2
        }
        return false
    }

    private static func find(
        in line: Range<Int>,
        of bytes: UnsafeBufferPointer<UInt8>,
        _ links: inout [TitleLink]
    ) {
        var place = line.lowerBound
        // Runs of backquotes that have no partner behind them, by length.
        var unpaired: Set<Int> = []
        while place < line.upperBound {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "`"):
                var end = place
                while end < line.upperBound, bytes[end] == UInt8(ascii: "`") { end += 1 }
                let count = end - place
                if !unpaired.contains(count),
                    let close = codeEnd(count, from: end, to: line.upperBound, bytes)
                {
                    place = close
                } else {
                    unpaired.insert(count)
                    place = end
                }
            case UInt8(ascii: "["):
                guard place + 1 < line.upperBound, bytes[place + 1] == UInt8(ascii: "["),
                    let end = titleEnd(from: place + 2, to: line.upperBound, bytes)
                else {
                    place += 1
                    continue
                }
                let title = String(decoding: bytes[place + 2..<end], as: UTF8.self).trimmed
                if title.isEmpty {
                    place = end
                } else {
                    links.append(TitleLink(range: place..<end + 2, title: title))
                    place = end + 2
                }
            default: place += 1
            }
        }
    }

    /// Where `]]` begins that ends a title.
    private static func titleEnd(
        from start: Int,
        to end: Int,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        for place in start..<end {
            if bytes[place] == UInt8(ascii: "[") { return nil }
            guard bytes[place] == UInt8(ascii: "]") else { continue }
            let isEnd = place + 1 < end && bytes[place + 1] == UInt8(ascii: "]")
            return isEnd ? place : nil
        }
        return nil
    }

    private static func codeEnd(
        _ count: Int,
        from start: Int,
        to end: Int,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        var place = start
        while place < end {
            guard bytes[place] == UInt8(ascii: "`") else {
                place += 1
                continue
            }
            let first = place
            while place < end, bytes[place] == UInt8(ascii: "`") { place += 1 }
            if place - first == count { return place }
        }
        return nil
    }
}

extension String {
    /// Without blanks at its ends.
    fileprivate var trimmed: String {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let rest = utf8.drop(while: blank)
        let end = rest.lastIndex { !blank($0) }.map { rest.index(after: $0) } ?? rest.startIndex
        return String(self[rest.startIndex..<end])
    }
}
