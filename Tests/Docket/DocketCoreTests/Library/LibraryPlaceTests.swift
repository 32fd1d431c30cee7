import DocketCore
import Foundation
import Testing

/// Where a library's own files on this computer are.
@Suite struct LibraryPlaceTests {
    private func place(_ address: String) throws -> String {
        try LibraryPlace(#require(URL(string: address)), environment: ["HOME": "/home/ada"]).path
    }

    @Test func aStoreOnAServerHasAFolderNamedByItsAddress() throws {
        let path = try place("postgresql://anna@db.example.org:5433/tasks?schema=team")
        let servers = "/home/ada/.local/share/docket/servers"
        let start = "\(servers)/anna-db-example-org-5433-tasks-schema-team-"
        #expect(path.hasPrefix(start), "\(path)")
        let isHashed = path.dropFirst(start.count).allSatisfy { $0.isHexDigit }
        #expect(isHashed, "\(path)")
        let several = try place("postgresql://anna@db1,db2/tasks")
        #expect(several.contains("/anna-db1-db2-tasks-"), "\(several)")
        let long = try place("postgresql://db/" + String(repeating: "%C3%A4/long.", count: 100))
        let name = try #require(long.split(separator: "/").last)
        #expect(name.utf8.count < 120, "\(name)")
    }

    @Test func addressesOfOneLibraryShareItAndOthersDoNot() throws {
        let path = try place("postgresql://anna@db/tasks")
        for same in ["postgres://anna@db/tasks", "postgresql://anna:x@db/tasks"] {
            #expect(try place(same) == path)
        }
        let schemas = ["a-b", "a_b"]
        let others = try schemas.map { try place("postgresql://anna@db/tasks?schema=\($0)") }
        #expect(Set(others + [path]).count == 3)
    }
}
