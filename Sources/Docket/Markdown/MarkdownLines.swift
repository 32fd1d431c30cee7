import CMarkdown

/// Where the lines of a section are, for what the parser does not say.
struct MarkdownLines {
    /// The line of the text in which the section begins.
    let first: Int
    /// 1 if the parser got the fence of code before the section.
    let fenceLines: Int
    private let text: [UInt8]
    private var starts: [Int] = []
    private let end: Int

    init(_ text: [UInt8], _ extent: MarkdownSource.Extent) {
        self.text = text
        first = extent.line
        end = extent.range.upperBound
        fenceLines = extent.fence.isEmpty ? 0 : 1
        var place = extent.range.lowerBound
        let end = end
        let starts = text.withUnsafeBufferPointer { bytes -> [Int] in
            var starts: [Int] = []
            while place < end {
                starts.append(place)
                place = bytes.nextLine(after: bytes.lineEnd(from: place))
            }
            return starts
        }
        self.starts = starts
    }

    /// The number of lines that the parser got of the section.
    var count: Int { starts.count + fenceLines }

    private func start(_ line: Int) -> Int? {
        let line = line - fenceLines
        return starts.indices.contains(line) ? starts[line] : nil
    }

    private func bytes(_ line: Int) -> ArraySlice<UInt8> {
        guard let start = start(line) else { return [] }
        return text[start..<(self.start(line + 1) ?? end)]
    }

    /// Whether there is a line that has nothing but the signs of quotes; that before the first one is
    /// the last one of the section before.
    func isBlank(_ line: Int) -> Bool {
        let isBlank: (UInt8) -> Bool = { " \t>\r\n".utf8.contains($0) }
        if line == -1, let start = starts.first, start > 0 {
            return text[..<(start - 1)].reversed().prefix { $0 != 0x0A }.allSatisfy(isBlank)
        }
        return start(line) != nil && bytes(line).allSatisfy(isBlank)
    }

    /// The box at a place of a line; `nil` if there is none.
    func task(line: Int, column: Int) -> MarkdownTask? {
        let bytes = bytes(line)
        let place = bytes.startIndex + column
        guard column >= 0, place + 2 < bytes.endIndex, bytes[place] == UInt8(ascii: "["),
            " xX".utf8.contains(bytes[place + 1]), bytes[place + 2] == UInt8(ascii: "]")
        else { return nil }
        let isEnd = place + 3 == bytes.endIndex
        guard isEnd || " \t\r\n".utf8.contains(bytes[place + 3]) else { return nil }
        return MarkdownTask(place: place + 1, isDone: bytes[place + 1] != UInt8(ascii: " "))
    }
}
