// A text is parsed in sections, each when it is first asked for: the parser reads some 10 MB a
// second, so that a note of a megabyte would take longer than a frame. Up to `whole` bytes a text is
// one section. A longer one is divided before a block at the left edge; where none comes, at any line,
// with the fence of code repeated. Each section gets the definitions of all, for its references.

/// A text in Markdown: CommonMark with tables, strikethrough, addresses and footnotes, as GitHub reads
/// them, and `[[title]]` as ``TitleLink`` finds it.
public final class MarkdownSource {
    public let text: String
    private let bytes: [UInt8]
    private let extents: [Extent]
    private let links: [TitleLink]
    private let definitions: [UInt8]
    private let footnotes: (defined: [ArraySlice<UInt8>], used: [String: [Int]])
    private var parsed: [MarkdownSection?]

    /// The part of the text of a section.
    struct Extent {
        var range: Range<Int>
        /// The line of the text in which it begins, from 0.
        var line: Int
        /// The line that opens the fence in which it begins; empty outside of one.
        var fence: Range<Int> = 0..<0
    }

    static let whole = 32_768
    private static let short = 12_288
    private static let long = 49_152

    /// Divides a text; parses nothing.
    ///
    /// - Complexity: O(length of the text), some milliseconds for a megabyte.
    public init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        links = TitleLink.all(in: text)
        let parts = bytes.withUnsafeBufferPointer(MarkdownSource.divide)
        extents = parts
        definitions =
            parts.count == 1 ? [] : bytes.withUnsafeBufferPointer(MarkdownSource.definitions)
        footnotes = MarkdownSource.footnotes(bytes)
        parsed = Array(repeating: nil, count: parts.count)
    }

    /// The number of sections, at least 1.
    public var count: Int { extents.count }

    /// The line, from 0, in which a section begins; that of the end behind the last one.
    public func line(ofSection number: Int) -> Int {
        number < extents.count ? extents[number].line : lines
    }

    /// The number of lines of the text.
    public private(set) lazy var lines = bytes.count { $0 == 0x0A } + 1

    /// Where a section begins, in bytes of the text.
    public func start(ofSection number: Int) -> Int { extents[number].range.lowerBound }

    /// A section, parsed when it is first asked for.
    public func section(_ number: Int) -> MarkdownSection {
        if let known = parsed[number] { return known }
        let extent = extents[number]
        let inside = links.filter {
            $0.range.lowerBound >= extent.range.lowerBound
                && $0.range.upperBound <= extent.range.upperBound
        }
        let section = MarkdownSection(
            bytes,
            extent,
            inside,
            definitions: definitions,
            footnotes: footnotes(in: extent)
        )
        parsed[number] = section
        return section
    }

    // MARK: Dividing

    private static func divide(_ bytes: UnsafeBufferPointer<UInt8>) -> [Extent] {
        if bytes.count <= whole { return [Extent(range: 0..<bytes.count, line: 0)] }
        var extents = [Extent(range: 0..<0, line: 0)]
        var fence = Fence()
        var (place, line) = (0, 0)
        var isBlankBefore = true
        func begin(_ place: Int, _ line: Int, _ fence: Range<Int> = 0..<0) {
            let last = extents.count - 1
            extents[last].range = extents[last].range.lowerBound..<place
            extents.append(Extent(range: place..<place, line: line, fence: fence))
        }
        func size(_ place: Int) -> Int { place - extents[extents.count - 1].range.lowerBound }
        while place < bytes.count {
            let end = bytes.lineEnd(from: place)
            if size(place) >= long {
                begin(
                    place,
                    line,
                    fence.isOpen ? fence.start..<bytes.lineEnd(from: fence.start) : 0..<0
                )
            } else if size(place) >= short, !fence.isOpen,
                isBlock(place..<end, isBlankBefore, bytes)
            {
                begin(place, line)
            }
            // A line without end is cut between words, or at least between characters.
            while end - max(place, extents[extents.count - 1].range.lowerBound) > long {
                let from = max(place, extents[extents.count - 1].range.lowerBound) + short
                let blank = bytes[from..<from + short].firstIndex(of: 0x20).map { $0 + 1 }
                let cut = blank ?? bytes[from...].firstIndex { $0 & 0xC0 != 0x80 } ?? end
                begin(cut, line)
            }
            _ = fence.take(place..<end, of: bytes)
            isBlankBefore = bytes[place..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 }
            place = bytes.nextLine(after: end)
            line += 1
        }
        let last = extents.count - 1
        extents[last].range = extents[last].range.lowerBound..<bytes.count
        return extents
    }

    /// Whether a block begins with a line: the first behind a blank line, a heading, an item of a list.
    private static func isBlock(
        _ line: Range<Int>,
        _ isBlankBefore: Bool,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let first = bytes[line].first, first != 0x20, first != 0x09 else { return false }
        if isBlankBefore { return true }
        var rest = bytes[line].drop { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        let hasNumber = rest.count < line.count
        let signs = hasNumber ? ".)" : "-*+#"
        guard let sign = rest.first, signs.utf8.contains(sign) else { return false }
        rest = rest.drop { $0 == UInt8(ascii: "#") }
        if sign != UInt8(ascii: "#") { rest = rest.dropFirst() }
        return rest.first == 0x20
    }

    private static let mostDefinitions = 16_384

    /// The lines that say where references lead, and footnotes.
    private static func definitions(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var found: [UInt8] = []
        var fence = Fence()
        var place = 0
        var isFootnote = false
        while place < bytes.count, found.count < mostDefinitions {
            let end = bytes.lineEnd(from: place)
            let line = bytes[place..<end]
            let isCode = fence.take(place..<end, of: bytes)
            if !isCode, let colon = definitionEnd(line) {
                isFootnote = line.dropFirst().first == UInt8(ascii: "^") && colon > 0
                found += Array("\n".utf8) + Array(line) + Array("\n".utf8)
            } else if isFootnote, !isCode, !line.allSatisfy({ $0 == 0x20 }) {
                found += Array(line) + Array("\n".utf8)
            } else {
                isFootnote = false
            }
            place = bytes.nextLine(after: end)
        }
        return found
    }

    /// The marks of footnotes that a section defines, without those that another section has.
    private func footnotes(in extent: Extent) -> [ArraySlice<UInt8>] {
        footnotes.defined.filter { mark in
            extent.range.contains(mark.startIndex)
                && footnotes.used[Self.name(mark)]?.contains { !extent.range.contains($0) } != true
        }
    }

    private static func name(_ mark: ArraySlice<UInt8>) -> String {
        String(decoding: mark, as: UTF8.self).lowercased()
    }

    /// The marks `[^name]` at the beginning of definitions, and the places of others by their names.
    private static func footnotes(
        _ bytes: [UInt8]
    ) -> (defined: [ArraySlice<UInt8>], used: [String: [Int]]) {
        var defined: [ArraySlice<UInt8>] = []
        var used: [String: [Int]] = [:]
        var start = bytes.startIndex
        while let place = bytes[start...].firstIndex(of: UInt8(ascii: "^")) {
            start = place + 1
            let close = UInt8(ascii: "]")
            guard place > 0, bytes[place - 1] == UInt8(ascii: "["),
                let end = bytes[start...].firstIndex(where: { $0 == close || $0 <= 0x20 }),
                bytes[end] == close, end > start
            else { continue }
            let mark = bytes[place - 1...end]
            let before = bytes[..<mark.startIndex].suffix(4).reversed()
                .prefix { $0 != 0x0A && $0 != 0x0D }
            let isFirst = before.count < 4 && before.allSatisfy { $0 == 0x20 }
            if isFirst, bytes[mark.endIndex...].first == UInt8(ascii: ":") {
                defined.append(mark)
            } else {
                used[name(mark), default: []].append(place)
            }
        }
        return (defined, used)
    }

    /// The number of bytes up to the colon of `[name]:`; `nil` if the line is not a definition.
    private static func definitionEnd(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard line.first == UInt8(ascii: "["),
            let close = line.firstIndex(of: UInt8(ascii: "]")), close > line.startIndex + 1,
            line.index(after: close) < line.endIndex, line[close + 1] == UInt8(ascii: ":")
        else { return nil }
        return close - line.startIndex
    }
}
