import CivilTime
import DocketFormats
import TimeLanguage

@testable import DocketCore

extension CapturedItem {
    /// Whether both say the same, however they are spelled.
    func means(_ other: CapturedItem) -> Bool {
        title == other.title && notes == other.notes && list == other.list && tags == other.tags
            && priority == other.priority && due == other.due && start == other.start
            && location == other.location && waits == other.waits && blocks == other.blocks
            && recurrence == other.recurrence
    }

    /// The item in capture's own syntax; reading it gives an item that means the same.
    ///
    /// Words of the title that would be taken for something else get a backslash. Dates are
    /// written in full, so the text means the same tomorrow.
    ///
    /// - Complexity: O(length), as for reading.
    func captureText(context: DateContext) -> String {
        let words = title.split(separator: " ").map(String.init)
        var escaped = words.map { $0.utf8.first == 92 }
        let marks = captureMarks(context: context)
        let parser = CaptureParser(context: context)
        // Escaping a word can let a neighbour count, so look again; each look escapes more words.
        for _ in 0..<4 {
            let line = CapturedItem.line(words, escaped, marks)
            let read = parser.read(line.text)
            let taken = read.tokens.filter {
                $0.kind != .escape && $0.range.lowerBound < line.titleEnd
            }
            if taken.isEmpty {
                if read.title == title { return line.text + noteLines }
                // Marks would hang beside those that are written behind the title.
                for (index, word) in words.enumerated() where !escaped[index] {
                    escaped[index] = word.unicodeScalars.last?.properties.isAlphabetic == false
                }
            }
            var index = 0
            for token in taken {
                while index < words.count, line.starts[index] < token.range.upperBound {
                    let isTaken = line.starts[index] >= token.range.lowerBound
                    if isTaken || line.ends[index] > token.range.lowerBound {
                        escaped[index] = true
                    }
                    index += 1
                }
            }
        }
        return CapturedItem.line(words, escaped.map { _ in true }, marks).text + noteLines
    }

    private var noteLines: String { notes.map { "\n\($0)" } ?? "" }

    private func captureMarks(context: DateContext) -> String {
        let format = DateFormat(context: context)
        var marks: [String] = []
        if let due { marks.append("due:\(format.plain(due))") }
        if let start { marks.append("start:\(format.plain(start))") }
        if !list.isEmpty {
            let path = list.map { CaptureName.written($0) }
            marks.append("+" + path.joined(separator: "/"))
        }
        marks += tags.map { "#" + CaptureName.written($0) }
        if (1...3).contains(priority) { marks.append("!\(priority)") }
        if let location { marks.append("@" + CaptureName.written(location)) }
        for (key, numbers) in [("after", waits), ("blocks", blocks)] where !numbers.isEmpty {
            marks.append("\(key):\(numbers.map(ShortID.string).joined(separator: ","))")
        }
        if let recurrence { marks.append(recurrence) }
        return marks.joined(separator: " ")
    }

    private struct Line {
        var text: String
        /// Where each word of the title begins and ends, in bytes.
        var starts: [Int]
        var ends: [Int]
        var titleEnd: Int
    }

    private static func line(_ words: [String], _ escaped: [Bool], _ marks: String) -> Line {
        var text = ""
        var starts: [Int] = []
        var ends: [Int] = []
        var at = 0
        for (word, isEscaped) in zip(words, escaped) {
            if at > 0 {
                text += " "
                at += 1
            }
            starts.append(at)
            if isEscaped { text += "\\" }
            text += word
            at += word.utf8.count + (isEscaped ? 1 : 0)
            ends.append(at)
        }
        if !marks.isEmpty { text += (at > 0 ? " " : "") + marks }
        return Line(text: text, starts: starts, ends: ends, titleEnd: at)
    }
}
