import ChildProcess
import Foundation
import Testing

/// Lists and searches of many items come out as they are read.
@Suite("Many rows")
struct StreamTests {
    /// A store with many items: every third done, every seventh in the trash, some with all fields.
    private static func large(_ count: Int) throws -> Docket {
        let docket = try Docket()
        let items = (0..<count).map { place -> String in
            var text =
                "{\"title\":\"item \(place) wörd\",\"list\":\"L\(place % 9)/M\",\"order\":\(place)"
            text += ",\"tags\":[\"t\(place % 5)\",\"u\"],\"priority\":\(place % 4)"
            if place % 3 == 0 { text += ",\"completed\":\"2026-01-01T10:00:00Z\"" }
            if place % 7 == 0 { text += ",\"trashed\":true" }
            if place % 11 == 0 { text += ",\"kind\":\"note\",\"body\":\"text\",\"due\":null" }
            if place % 2 == 0 { text += ",\"due\":\"2026-12-24\",\"foreign\":{\"a\":[1]}" }
            return text + "}"
        }
        try docket.write(items.joined(separator: "\n"), to: "in.json")
        let imported = try docket("import", docket.path("in.json"))
        #expect(imported.code == 0, "\(imported.errors)")
        return docket
    }

    @Test func listsAndSearchesPrintWhatAnExportHas() throws {
        let docket = try Self.large(3000)
        let all = try docket("export").bytes
        #expect(try docket("list", "--all", "--json").bytes == all)
        #expect(try docket("search", "--all", "--json", "word").bytes == all)
        let lines = try docket("list", "--all").lines
        #expect(lines.count == 3000)
        #expect(try docket("search", "--all", "wörd").lines == lines)
        let items = try docket.items(["list", "--json"])
        let open = items.filter { $0["completed"] is NSNull && $0["trashed"] as? Bool == false }
        #expect(items.count == open.count && items.count > 1500)
        // Each once, in display order, across the border between the first items and the rest.
        let ids = items.compactMap { $0["id"] as? Int }
        #expect(Set(ids).count == ids.count)
        let orders = items.compactMap { $0["order"] as? Int }
        #expect(orders == orders.sorted())
        #expect(try docket("list").lines.count == items.count)
        for limit in [1, 511, 512, 513, 1500] {
            #expect(try docket("list", "--limit", "\(limit)").lines.count == limit)
        }
        let tagged = try docket.items(["list", "--json", "--tag", "t2"])
        #expect(tagged.count == items.count { ($0["tags"] as? [String] ?? []).contains("t2") })
    }

    @Test func linesShowEverythingThatTheyUsedTo() throws {
        let docket = try Docket()
        try docket("add", "one !high +Home/Garden #b #a 24.12.2099")
        try docket("add", "--note", "two #c")
        try docket("add", "three 24.12.2099 9:30")
        try docket("done", "3")
        try docket("add", "four")
        try docket("trash", "4")
        #expect(
            try docket("list", "--all").lines == [
                "1 ○ one  !!!  24 Dec 2099  +Home/Garden  #a  #b", "2 ✎ two  #c",
                "3 ✓ three  24 Dec 2099 9:30", "4 × four",
            ]
        )
    }

    @Test func theFirstLinesComeOutBeforeTheLastIsRead() throws {
        let docket = try Self.large(3000)
        // A reader that takes the first line and goes away ends the program.
        for command in ["list", "list --json", "search item"] {
            let outcome = try docket.shell(
                "{ \"$docket\" \(command); echo \"code $?\" >&2; } | head -n 2"
            )
            #expect(outcome.errors == "code 0\n", "\(command): \(outcome.errors)")
            #expect(outcome.lines.count == 2)
        }
    }
}
