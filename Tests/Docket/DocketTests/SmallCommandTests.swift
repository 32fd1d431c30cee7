import Foundation
import Testing
import VirtualTerminal

@Suite("Tags, opening at an item, numbers on standard input")
struct SmallCommandTests {
    @Test func tagsArePrintedWithTheirCounts() throws {
        let docket = try Docket.adding("a #home", "b #home #Work", "c #home")
        try docket("done", "3")
        #expect(try docket("tags").output == "#home  2\n#Work  1\n")
        try docket("trash", "1")
        #expect(try docket("tags").output == "#home  1\n#Work  1\n")
        let json = try docket("tags", "--json")
        let tags = try #require(
            JSONSerialization.jsonObject(with: json.bytes) as? [[String: Any]]
        )
        #expect(tags.map { $0["name"] as? String } == ["home", "Work"])
        #expect(tags.map { $0["all"] as? Int } == [2, 1])
    }

    @Test func numbersComeFromStandardInput() throws {
        let docket = try Docket.adding("a", "b 2", "c", "d")
        let piped = try docket.shell("\"$docket\" list | \"$docket\" done -")
        #expect(piped.code == 0, "\(piped.errors)")
        #expect(try docket.titles() == [])
        #expect(try docket("undone", "-", input: Data("1 2-3\n\n4\n".utf8)).code == 0)
        #expect(try docket.titles().count == 4)
        #expect(try docket("edit", "-", "priority=high", input: Data("2\n".utf8)).code == 0)
        let none = try docket("trash", "-")
        #expect(none.code == 1 && none.errors.contains("Standard input has no number"))
        let unknown = try docket("trash", "-", input: Data("1\n99\n".utf8))
        #expect(unknown.code == 1)
        #expect(try docket.titles().count == 4)
    }

    @Test func theInterfaceOpensAtAnItem() throws {
        let docket = try Docket.adding("apples", "pears", "plums")
        try docket("trash", "3")
        for (number, title, key, message) in [
            ("2", "pears", "f", "Flagged \"pears\""), ("3", "plums", "r", "Restored \"plums\""),
        ] {
            let terminal = try VirtualTerminal(
                Docket.program,
                arguments: ["open", number],
                environment: docket.environment
            )
            try terminal.wait(forText: title)
            try terminal.type(key)
            try terminal.wait(forText: message)
            try terminal.type("q")
            #expect(try terminal.waitForEnd() == 0)
        }
        let unknown = try docket("open", "99")
        #expect(unknown.code == 1)
    }
}
