import DocketCore
import DocketFormats

/// Prints items as they arrive: a line each for people, JSON for scripts.
struct ItemOutput {
    private var lines: (writer: ItemLines, width: Int)?
    private var writer = DocketJSONWriter()
    private var isFirst = true

    /// Whether only the fields of a line are needed.
    var isLine: Bool { lines != nil }

    init(_ library: Library, json: Bool) throws {
        if !json { lines = (ItemLines(library.clock()), try library.widestNumber()) }
    }

    /// Prints some items; the first ones immediately, for a reader that needs only the beginning.
    mutating func print(_ records: [ItemRecord]) throws {
        if let (lines, width) = lines {
            for index in records.indices {
                try Console.print(lines.line(records[index], numberWidth: width))
            }
        } else {
            // By index: a record in a variable would be a copy, whose texts are counted.
            for index in records.indices { writer.write(records[index]) }
            try Console.write(writer.drain())
        }
        if isFirst, !Pager.isWanted { try Console.flush() }
        isFirst = false
    }

    mutating func printHeading(_ name: String) throws {
        guard lines != nil else { return }
        let shown = Console.shown(name)
        if !isFirst { try Console.print("") }
        try Console.print(Console.isStyled ? "\u{1b}[1m\(shown)\u{1b}[0m" : shown)
    }

    static func printJSON(_ record: ItemRecord) throws {
        var bytes: [UInt8] = []
        DocketJSONWriter.append(record, to: &bytes)
        try Console.write(bytes + [UInt8(ascii: "\n")])
    }

    mutating func finish() throws {
        if lines != nil { return }
        writer.finish()
        try Console.write(writer.drain())
        let report = writer.report
        if report.hasDetails { Console.report(report, heading: nil) }
    }
}
