import Foundation
import Testing

@testable import DocketCore

@Suite struct LibraryPlaceTests {
    private func path(_ address: String) throws -> String {
        LibraryPlace(try #require(URL(string: address)), environment: ["HOME": "/home/anna"]).path
    }

    @Test func theFilesOfALibraryOnAServerHaveItsName() throws {
        #expect(
            try path("postgresql://anna@db.example.org/tasks?schema=team")
                == "/home/anna/.local/share/docket/servers/anna-db-example-org-tasks-schema-team"
        )
    }

    /// The schema is at the end of an address.
    @Test func twoLibrariesOfALongAddressHaveFilesOfTheirOwn() throws {
        let host = repeatElement("name", count: 80).joined(separator: ".")
        let paths = try ["one", "two"].map { try path("postgresql://\(host)/db?schema=\($0)") }
        #expect(paths[0] != paths[1])
        #expect(paths.allSatisfy { ($0.split(separator: "/").last?.utf8.count ?? 0) <= 200 })
    }
}
