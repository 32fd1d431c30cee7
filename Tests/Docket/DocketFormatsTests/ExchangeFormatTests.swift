import CivilTime
import FixedTime
import Foundation
import Testing

@testable import DocketFormats

/// The table of formats.
@Suite struct ExchangeFormatTests {
    @Test func everyNameAndEndLeadsToItsFormatAlone() throws {
        var seen: Set<String> = []
        for format in ExchangeFormat.allCases {
            for name in [format.name] + format.aliases {
                #expect(seen.insert(name).inserted, "\(name) is the name of two formats")
                #expect(try ExchangeFormat(name: name.uppercased()) == format)
            }
            for end in format.endings {
                #expect(seen.insert("end \(end)").inserted, "\(end) is the end of two formats")
                for path in ["my\(end)", "a.b/MY\(end.uppercased())", "./my\(end).age"] {
                    #expect(try ExchangeFormat(file: path) == format, "\(path)")
                }
            }
        }
    }

    @Test func aDocumentIsRecognisedWithoutItsName() throws {
        let record = ItemRecord(uuid: UUID(), title: "Pay rent", created: Fixed.context.now)
        for format in ExchangeFormat.imported {
            let text = Exchange.write([record], format).text
            for beginning in [text, "\u{FEFF}" + text] {
                let found = try ExchangeFormat.recognised(
                    name: "-",
                    beginning: Array(beginning.utf8)
                )
                #expect(found == format, "\(beginning)")
            }
        }
    }

    /// What the content leaves open, the name decides.
    @Test(arguments: [
        ("list", ExchangeFormat.todotxt), ("./list", .todotxt), ("a.b/list", .todotxt),
        ("list.txt", .todotxt), ("list.md", .markdown), ("list.json", .json),
        ("list.org", .org), ("list.csv", .csv), ("list.tsv", .csv),
        ("list.task.json", .taskwarrior), ("list.ics", .icalendar),
        ("list.ical", .icalendar),
    ])
    func linesAreTodoTxtUnlessTheFileIsNamedOtherwise(path: String, format: ExchangeFormat) throws {
        #expect(try ExchangeFormat.recognised(name: path, beginning: Array("one".utf8)) == format)
    }

    /// A file without a name is no Markdown and no org because of a sign in one of its lines.
    @Test(arguments: [
        ("(A) Pay rent +Home due:2026-11-30\nx done", ExchangeFormat.todotxt),
        ("* not a heading of a task\n- list", .todotxt), ("a, b and c\nmilk", .todotxt),
        ("title, due soon, what else, and so on", .todotxt), ("[see page 3] read", .todotxt),
        ("# Home\n\n* [ ] Pay rent", .markdown), ("[link](x)\n\n1. [x] done", .markdown),
        ("```\n- [ ] code\n```", .todotxt), ("* TODO Pay rent\n- [ ] box", .org),
        ("#+TITLE: x\n* y", .org), ("* y\n  :PROPERTIES:\n  :END:", .org),
        ("Task;Due date\nx;- [ ] y", .csv), ("TYPE,CONTENT,INDENT\ntask,a,1", .csv),
        ("\"Date: 2026-01-01+0000\"\n\"Version: 7.1\"\n", .csv), ("[\n {\"title\": 1}]", .json),
    ])
    func theContentDecides(text: String, format: ExchangeFormat) throws {
        for mark in ["", "\u{FEFF}", "\n\n"] {
            let bytes = Array((mark + text).utf8)
            #expect(try ExchangeFormat.recognised(name: "-", beginning: bytes) == format, "\(text)")
        }
    }

    @Test func whatHasNoFormatIsRefusedWithTheKnownOnes() throws {
        let name = #expect(throws: InputError.self) { try ExchangeFormat(name: "xlsx") }
        #expect(
            name?.message
                == "“xlsx” is not a format; the formats are json, taskwarrior, todotxt,"
                + " icalendar, markdown, org, csv, text."
        )
        let file = #expect(throws: InputError.self) { try ExchangeFormat(file: "a/B.xlsx") }
        #expect(
            file?.message
                == "b.xlsx: no format has the extension .xlsx; use .json, .task.json, todo.txt, .ics,"
                + " .md, .org, .csv or .txt."
        )
        let read = #expect(throws: InputError.self) {
            try ExchangeFormat.text.reader(of: [], settings: Exchange.settings)
        }
        #expect(
            read?.message
                == "The format text cannot be imported; the formats are json, taskwarrior,"
                + " todotxt, icalendar, markdown, org and csv."
        )
    }

    @Test func theManualListsTheFormatsOfTheTable() throws {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().appending(path: "../../../docs/manual/formats.md")
        let manual = try String(contentsOf: file, encoding: .utf8).replacing("\n", with: " ")
        let names = ExchangeFormat.allCases.map { format in
            "`\(format.name)`" + (format.isLossless ? " (without loss)" : "")
                + (format.refusal == nil ? "" : " (export only)")
        }
        #expect(manual.contains("The formats are \(names.listed("and"))."))
        let ends = ExchangeFormat.allCases.map { "`\($0.ending)`" }.joined(separator: ", ")
        #expect(manual.contains("the end of the file's name: \(ends)."))
    }
}
