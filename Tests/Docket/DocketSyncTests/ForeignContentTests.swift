import DocketCore
import DocketFormats
import Foundation
import ObjectGraph
import ObjectSync
import Testing

@testable import DocketSync

/// What other programs have written, and what lists have besides their names.
@Suite struct ForeignContentTests {
    private let server = SimulatedCalDAV()

    private let foreign = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Other//Program//EN
        BEGIN:VTODO
        UID:NUMBER@example.org
        DTSTAMP:20261101T080000Z
        SUMMARY:Task NUMBER
        X-APPLE-SORT-ORDER:NUMBER
        X-FUTURE;A="b;c":one\\, two
        END:VTODO
        END:VCALENDAR

        """

    @Test func aChangedOrderIsSentToAProgramThatHasOne() throws {
        let home = SimulatedCalDAV.home + "plants/"
        server.collections[home] = .init(name: "Plants")
        for number in 1...3 {
            let text = foreign.replacingOccurrences(of: "NUMBER", with: "\(number)")
            server.put(text, "\(number).ics", in: home)
        }
        let (one, two) = (try Replica(), try Replica())
        try one.sync(server)
        try two.sync(server)
        try one.edit { library in
            let ranks = try (1...3).map { try one.task("Task \($0)", library).displayOrder }
            try one.task("Task 1", library).displayOrder = ranks[2] + Ranks.spacing
            _ = try library.context.save()
        }
        #expect(try one.sync(server).sent == 1)
        let text = try #require(server.texts(in: home).first { $0.contains("SUMMARY:Task 1") })
        #expect(text.contains("X-APPLE-SORT-ORDER:4\r\n"), "\(text)")
        #expect(text.contains("X-FUTURE;A=\"b;c\":one\\, two\r\n"))
        try two.sync(server)
        let order = try two.edit { library in
            try Task.all(in: library.context).sorted { $0.displayOrder < $1.displayOrder }
                .map(\.title)
        }
        #expect(order == ["Task 2", "Task 3", "Task 1"])
        #expect(try one.sync(server).isEmpty)
        #expect(try two.sync(server).isEmpty)
    }

    @Test(arguments: [1, 12])
    func whatAnImportHasKeptIsSent(count: Int) throws {
        server.quirks.wholeLists = .taken
        let replica = try Replica()
        let tasks = (1...count).map { number in
            foreign.replacingOccurrences(of: "NUMBER", with: "\(number)")
                .components(separatedBy: "\n").filter { !$0.contains("VCAL") && !$0.isEmpty }
                .dropFirst(2).joined(separator: "\r\n")
        }
        let text =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//Program//EN\r\n"
            + "X-WR-CALNAME:Plants\r\n\(tasks.joined(separator: "\r\n"))\r\nEND:VCALENDAR\r\n"
        try replica.edit { _ = try $0.importItems(.icalendar, from: Array(text.utf8)) }
        try replica.sync(server)
        #expect(server.allTexts.count == count)
        for text in server.allTexts {
            #expect(text.contains("X-FUTURE;A=\"b;c\":one\\, two\r\n"), "\(text)")
            #expect(text.contains("@example.org\r\n"))
            #expect(text.components(separatedBy: "BEGIN:VCALENDAR").count == 2)
        }
        let two = try Replica()
        try two.sync(server)
        try expectEqual(replica, two)
        #expect(try replica.sync(server).isEmpty)
    }

    @Test func coloursOfListsGoBothWays() throws {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Paint +House")
        func setColor(_ color: String, _ replica: Replica) throws {
            try replica.edit { library in
                try library.lists().first?.color = color
                _ = try library.context.save()
            }
        }
        try setColor("#ff8800", one)
        try one.sync(server)
        #expect(server.collections.values.contains { $0.name == "House" && $0.color == "#ff8800" })
        try two.sync(server)
        #expect(try two.edit { try $0.lists().first?.color } == "#ff8800")
        for path in server.collections.keys { server.collections[path]?.color = "#00AA00FF" }
        try one.sync(server)
        #expect(try one.edit { try $0.lists().first?.color } == "#00aa00")
        try setColor("#0000ff", two)
        for replica in [two, one, two] { try replica.sync(server) }
        #expect(try one.edit { try $0.lists().first?.color } == "#0000ff")
        #expect(try one.sync(server).isEmpty)
    }

    @Test func nestedListsKeepTheirParentsHereAndTheirItemsThere() throws {
        let (one, two) = (try Replica(), try Replica())
        try one.add("Paint +House/Garden", "Sow +Farm/Garden", "Sweep +House")
        try one.sync(server)
        try two.sync(server)
        try two.edit { library in
            try two.task("Sow", library).title = "Sow peas"
            _ = try library.context.save()
        }
        for replica in [two, one, two] { try replica.sync(server) }
        let paths = try one.edit { library in
            try Task.all(in: library.context).map { "\($0.title) \($0.list?.path ?? [])" }.sorted()
        }
        #expect(
            paths == [
                #"Paint ["House", "Garden"]"#, #"Sow peas ["Farm", "Garden"]"#,
                #"Sweep ["House"]"#,
            ]
        )
        #expect(try two.titles() == ["Paint", "Sow peas", "Sweep"])
        #expect(try one.sync(server).isEmpty)
    }
}
