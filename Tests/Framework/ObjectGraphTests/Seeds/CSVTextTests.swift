import Foundation
import ObjectModel
import SeededRandom
import Testing

@testable import ObjectGraph

/// Comma-separated values as RFC 4180 has them.
@Suite struct CSVTextTests {
    private func texts(_ csv: String) throws -> [[String]] {
        try CSVText(csv).rows.map { $0.map(\.text) }
    }

    @Test(
        arguments: [
            ("", []), ("\n\r\n\n", []), ("a", [["a"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
            ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a\rb\rc", [["a"], ["b"], ["c"]]),
            ("\u{FEFF}a,b\n", [["a", "b"]]), (",\n,", [["", ""], ["", ""]]),
            ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\r\nb\",c", [["a\r\nb", "c"]]),
            ("\"\"\n\"x\"", [[""], ["x"]]), ("a, b ,c", [["a", " b ", "c"]]),
            ("ä,日本\n🇨🇭,e\u{301}\n", [["ä", "日本"], ["🇨🇭", "e\u{301}"]]), ("a\u{0}b", [["a\u{0}b"]]),
            ("a\n\n\nb", [["a"], ["b"]]), ("\"\u{FEFF}\"", [["\u{FEFF}"]]),
        ] as [(String, [[String]])]
    )
    func wellFormedTextIsRead(_ csv: String, _ rows: [[String]]) throws {
        #expect(try texts(csv) == rows)
    }

    /// All rows of a table in which fields may be missing, in parts of so many bytes.
    private func table(
        _ text: String,
        separator: UInt8? = nil,
        partSize: Int = 3,
        rowLimit: Int = .max
    ) -> (rows: [[String]], problems: [CSVRows.Problem]) {
        var rest = Array(text.utf8)[...]
        var reader = CSVRows(separator: separator, rowLimit: rowLimit) {
            let part = rest.prefix(partSize)
            rest = rest.dropFirst(partSize)
            return part.isEmpty ? nil : Array(part)
        }
        var (rows, problems): ([[String]], [CSVRows.Problem]) = ([], [])
        while true {
            do throws(CSVRows.Problem) {
                guard let row = try reader.next() else { return (rows, problems) }
                rows.append(row.map(\.text))
                reader.width = rows[0].count
            } catch {
                problems.append(error)
            }
        }
    }

    @Test(arguments: [1, 2, 7, 1000]) func separatorAndShortRowsAreRead(partSize: Int) {
        func read(_ text: String) -> [[String]] { table(text, partSize: partSize).rows }
        #expect(read("a;b,c;d\n\"1;2\";3\n") == [["a", "b,c", "d"], ["1;2", "3"]])
        #expect(read("\u{FEFF}a\tb\tc\r\n1\r\n1\t2\r\n") == [["a", "b", "c"], ["1"], ["1", "2"]])
        // The last row may be cut off.
        #expect(read("a;b;c\n1;2") == [["a", "b", "c"]])
        #expect(read("a;b\n1;2;3\n") == [["a", "b"]])
    }

    @Test(arguments: [1, 2, 7, 1000]) func whatFollowsAWrongRowIsRead(partSize: Int) {
        let text = "a,b\r\nx\"y,1\r\n\"z\"1,\n\"open,\n1,2,3\n日本,\"\"\"c\"\"\"\n\"cut,"
        let (rows, problems) = table(text, partSize: partSize)
        #expect(rows == [["a", "b"], ["日本", "\"c\""]])
        #expect(problems.map(\.line) == [2, 3, 6, 5, 7])
    }

    @Test func rowThatIsTooLongIsLeftOut() {
        let long = String(repeating: "x\n", count: 100_000)
        for row in ["\"\(long)\",1", String(repeating: "y", count: 200_000), "\"\(long)"] {
            let text = "a,b\n\(row)\n1,2\n"
            let (rows, problems) = table(text, partSize: 1000, rowLimit: 100_000)
            #expect(rows.first == ["a", "b"] && problems.first?.line == 2)
            #expect(rows.last == ["1", "2"])
            #expect(problems.first?.reason.contains("is longer") == true)
        }
    }

    @Test(arguments: [
        ("a\"b", 1, 2), ("a,b\n1,2,3", 2, 5), ("a,b\n1", 2, 1), ("\"a", 1, 1),
        ("a\n\"b\nc", 2, 1), ("\"a\"b", 1, 4), ("日本,x\"", 1, 5), ("a\r\nb\r\nc\"", 3, 2),
        ("\"x\ny\",\"b\"c", 2, 7), ("\u{FEFF}\"", 1, 1),
    ])
    func mistakeIsToldWithLineAndColumn(_ csv: String, _ line: Int, _ column: Int) {
        let error = #expect(throws: ObjectGraphError.self) { try CSVText(csv) }
        #expect(error?.code == .invalidFormat)
        #expect(
            error?.message.contains("in line \(line), column \(column): ") == true,
            "\(String(describing: error))"
        )
    }

    /// It takes minutes if each field counts the columns before it.
    @Test func rowOfVeryManyFieldsIsRead() throws {
        let row = String(repeating: "é,", count: 200_000) + "last"
        let fields = try #require(try CSVText(row).rows.first)
        #expect(fields.count == 200_001)
        #expect(fields.last?.column == 400_001)
    }

    @Test func textThatIsNotUTF8IsRefused() {
        for bytes in [[0xFF], [0x61, 0x2C, 0xC3], [0x22, 0xE2, 0x82, 0x22]] as [[UInt8]] {
            #expect(throws: ObjectGraphError.self) { try CSVText(bytes) }
        }
    }

    @Test func quotedEmptyFieldIsNotTheSameAsNoField() throws {
        let row = try CSVText("\"\",").rows[0]
        #expect(row.map(\.text) == ["", ""] && row.map(\.isQuoted) == [true, false])
    }

    @Test(arguments: SeededRandom.seeds(20))
    func whatIsWrittenIsReadAgain(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let parts = ["a", ",", "\"", "\n", "\r\n", "\r", "ü", "日", "🇨🇭", " ", "", "\u{0}"]
        let width = random.below(4) + 1
        let rows = (0...random.below(6)).map { _ in
            (0..<width).map { _ in
                (0..<random.below(5)).map { _ in random.pick(parts) }.joined()
            }
        }
        let ends = ["\n", "\r\n", "\r"]
        var csv = random.chance(2) ? "\u{FEFF}" : ""
        for row in rows {
            csv += row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
            csv += random.pick(ends)
        }
        #expect(try texts(csv) == rows)
    }

    @Test(arguments: SeededRandom.seeds(20))
    func anyBytesGiveRowsOrAnError(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = Array("a,\"\n\r".utf8) + [0xEF, 0xBB, 0xBF, 0x00, 0xC3, 0xA4]
        for _ in 0..<500 {
            let text = (0..<random.below(12)).map { _ in random.pick(bytes) }
            do {
                let rows = try CSVText(text).rows
                #expect(Set(rows.map(\.count)).count <= 1)
            } catch {
                #expect((error as? ObjectGraphError)?.code == .invalidFormat)
            }
        }
    }

    @Test func tenThousandRowsAreReadInOnePass() throws {
        let csv = (0..<10_000).map { "\($0),\"x\ny\",z" }.joined(separator: "\n")
        let rows = try CSVText(csv).rows
        #expect(rows.count == 10_000 && rows[9_999][0].text == "9999")
        #expect(rows[9_999][0].line == 19_999)
    }
}
