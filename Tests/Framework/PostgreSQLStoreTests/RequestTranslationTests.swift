import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct RequestTranslationTests {
    /// The characters that text is escaped with, and their neighbours.
    private static let texts = [
        "", "\0", "\u{1}", "\u{2}", "\u{3}", "\u{4}", "\0\0", "\0\u{1}", "\u{1}\0", "a\0b", "a",
        "ab", "\u{1}\u{2}\u{2}", "\u{2}\u{2}", "\u{3}a", "Grüße", "🐈", "\u{10FFFF}",
    ]

    @Test func everyTextComesBackAndIsComparedAsInMemory() throws {
        let bench = try ServerBench()
        let (context, _) = try bench.context()
        for text in Self.texts { try context.add("Item", ["title": .string(text)]) }
        try context.save()
        let (other, _) = try bench.context()
        let titles = try other.found("Item", by: "title").map { try $0.value(forKey: "title") }
        let sorted = Self.texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(titles == sorted.map { .string($0) })
        let operators: [FetchComparison.Operator] = [
            .equal, .less, .greaterOrEqual, .contains, .beginsWith, .endsWith,
        ]
        for text in Self.texts {
            for test in operators {
                let predicate = FetchPredicate.comparison(
                    FetchComparison(.keyPath("title"), test, .constant(.string(text)))
                )
                let found = try other.found("Item", predicate)
                let expected = try context.found("Item").filter {
                    try predicate.evaluate(with: .object($0))
                }
                #expect(
                    Set(found.map(\.objectID)) == Set(expected.map(\.objectID)),
                    "\(test) \(text.debugDescription)"
                )
            }
        }
    }

    /// What PostgreSQL can answer is not evaluated here.
    @Test(arguments: [
        ("rank > 3 AND title != nil", "t0.ZRANK > $1"),
        ("list.name == \"x\"", "LEFT JOIN ZLIST"),
        ("title BEGINSWITH \"a\" OR title CONTAINS \"b\"", "STARTS_WITH"),
        ("rank IN {1, 2, 3}", "IN ("),
        ("NOT #size < 2.5", "NOT COALESCE("),
    ])
    func predicatesBecomeSQL(_ format: String, _ part: String) throws {
        let bench = try ServerBench()
        let store = try bench.store()
        let statements = Mutex<[String]>([])
        store.trace { sql, _ in statements.withLock { $0.append(sql) } }
        let answer = try store.fetch(
            FetchPlan(
                request: FetchDescription(
                    entityName: "Item",
                    predicate: try FetchPredicate(format: format)
                ),
                entity: try #require(store.schema.model.entity(named: "Item"))
            )
        )
        #expect(answer.remainder == nil)
        #expect(statements.withLock { $0 }.contains { $0.contains(part) }, "\(part)")
    }
}

@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct StatementLimitTests {
    /// More different statements than a connection keeps, with saves between them.
    @Test func manyDifferentStatementsAreForgottenAndPreparedAgain() throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context()
        let entity = try #require(store.schema.model.entity(named: "Item"))
        let item = try context.add("Item", ["rank": 0])
        try context.save()
        for number in 1...700 {
            // Each has another number of conditions or constants.
            let parts = (0..<(number % 30 + 1)).map { "rank != \(-$0 - 1)" }
            let more = (0..<(number / 30 + 1)).map { "#size != \($0)" }
            let predicate = try FetchPredicate(
                format: (parts + more).joined(separator: " AND ")
            )
            let request = FetchDescription(entityName: "Item", predicate: predicate)
            let answer = try store.fetch(FetchPlan(request: request, entity: entity))
            #expect(answer.ids.count == 1)
            if number % 50 == 0 {
                try item.setValue(.int(Int64(number)), forKey: "rank")
                try context.save()
            }
        }
        let count = try bench.server.execute(
            "SELECT rank FROM (SELECT zrank AS rank FROM \"\(bench.schema)\".zitem) found"
        )
        #expect(count == "700")
    }
}

@Suite struct AddressTests {
    private func parameters(_ text: String, library: Int = 150_000) throws -> [String: String] {
        let url = try #require(URL(string: text))
        let list = try PostgreSQLPlace(url).parameters(library: library)
        return Dictionary(list.map { ($0.keyword, $0.value) }) { first, _ in first }
    }

    @Test func aServerElsewhereHasToProveWhoItIs() throws {
        let far = "postgresql://me@db.example.org:6000/tasks?schema=team"
        #expect(try parameters(far)["sslmode"] == "verify-full")
        #expect(try parameters(far)["sslrootcert"] == nil)
        #expect(try parameters(far, library: 160_000)["sslrootcert"] == "system")
        #expect(try parameters(far + "&sslmode=require")["sslmode"] == "require")
        #expect(try parameters("postgresql://localhost,db.example.org/x")["sslmode"] != nil)
        for near in [
            "postgresql:///x", "postgresql://localhost/x", "postgresql://[::1]/x",
            "postgresql:///x?host=/run/postgresql",
        ] {
            #expect(try parameters(near)["sslmode"] == nil, "\(near)")
        }
    }

    @Test func anAddressNamesEverything() throws {
        let text = "postgresql://me:secret@db.example.org:6000/tasks?schema=team&connect_timeout=3"
        let found = try parameters(text)
        #expect(found["user"] == "me" && found["password"] == "secret")
        #expect(found["host"] == "db.example.org" && found["port"] == "6000")
        #expect(found["dbname"] == "tasks" && found["connect_timeout"] == "3")
        #expect(found["schema"] == nil && found["client_encoding"] == "UTF8")
        let place = try PostgreSQLPlace(try #require(URL(string: text)))
        #expect(place.schema == "team" && place.server == "db.example.org:6000")
        #expect(!place.url.absoluteString.contains("secret"))
        let plain = try PostgreSQLPlace(try #require(URL(string: "postgresql:///x")))
        #expect(plain.schema == "objectgraph" && plain.server == "of this computer")
    }

    @Test(arguments: ["file:///x", "postgresql:///x?schema=", "https://example.org"])
    func otherAddressesAreRefused(_ text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: ObjectGraphError.self) { try PostgreSQLPlace(url) }
        #expect(error?.code == .cannotOpen)
    }
}
