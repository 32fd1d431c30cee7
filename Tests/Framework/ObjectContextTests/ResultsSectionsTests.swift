import CSQLite
import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Synchronization
import Testing

/// A SQLite store of employees in sections, a folder for caches, and the statements that ran.
private final class SectionsBench {
    let bench: StoreBench
    private let log = StatementLog()

    init(_ kind: StoreType = .sqlite) throws {
        bench = try StoreBench(kind)
        bench.coordinator.startCounting { [log] line in log.lines.withLock { $0.append(line) } }
    }

    var cache: ResultsCache { ResultsCache(named: "People/by code", in: caches) }
    var caches: URL { bench.folder.appending(path: "caches") }

    func fill(_ codes: [String?]) throws {
        let context = bench.context()
        for (index, code) in codes.enumerated() {
            let values: [String: GraphValue] = [
                "name": .string("n\(index % 7)"), "age": .int(Int64(index % 5)),
                "code": code.map { .string($0) } ?? .null,
            ]
            try context.make("Employee", values)
        }
        try context.save()
    }

    func controller(
        _ format: String? = nil,
        section: String = "code",
        ascending: Bool = true,
        cached: Bool = true,
        in context: ManagedObjectContext? = nil
    ) throws -> FetchedResultsController<ManagedObject> {
        var request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [
                FetchSortDescriptor(section, ascending: ascending), FetchSortDescriptor("name"),
            ]
        )
        if let format { request.predicate = try FetchPredicate(format: format) }
        let controller = try FetchedResultsController(
            request: request,
            context: context ?? bench.context(),
            sectionNameKeyPath: section,
            cache: cached ? cache : nil
        )
        log.lines.withLock { $0 = [] }
        try controller.performFetch()
        return controller
    }

    /// Whether the last controller made the store count its sections.
    var counted: Bool { log.lines.withLock { $0.contains { $0.contains("GROUP BY") } } }
}

private final class StatementLog: Sendable {
    let lines = Mutex<[String]>([])
}

@Suite("Sections of a results controller")
struct ResultsSectionsTests {
    /// The rows as a walk over all objects puts them together.
    private func walked(
        _ controller: FetchedResultsController<ManagedObject>,
        _ section: String
    ) throws -> ResultsSnapshot {
        var result = ResultsSnapshot(sections: [])
        for object in try controller.context.fetch(controller.request) {
            let name: String
            switch try object.value(forKeyPath: section) {
            case .null: name = ""
            case .int(let number): name = "\(number)"
            case .string(let text): name = text
            case let other: name = other.kindName
            }
            if result.sections.last?.name != name {
                result.sections.append(.init(name: name, ids: []))
            }
            result.sections[result.sections.count - 1].ids.append(object.objectID)
        }
        return result
    }

    @Test(
        arguments: ["code", "age", "department.title", "spouse.age"],
        [nil, "age > 1", "name CONTAINS '3'"]
    )
    func countedSectionsAreThoseOfTheRows(_ section: String, _ format: String?) throws {
        for kind in [StoreType.sqlite, .inMemory] {
            let bench = try SectionsBench(kind)
            try bench.fill((0..<60).map { ["ab", nil, "Ab", "éa", "🦊🦊", "00", "zz"][$0 % 7] })
            let context = bench.bench.context()
            let people = try context.all("Employee")
            for (index, title) in ["west", ""].enumerated() {
                let office = try context.make("Department", ["title": .string(title)])
                for person in people.dropFirst(index * 20).prefix(20) {
                    person["department"] = .object(office)
                }
            }
            for pair in 0..<10 { people[pair]["spouse"] = .object(people[40 + pair]) }
            try context.save()
            for ascending in [true, false] {
                let controller = try bench.controller(
                    format,
                    section: section,
                    ascending: ascending
                )
                #expect(controller.snapshot == (try walked(controller, section)))
                if kind == .sqlite { #expect(bench.counted) }
            }
        }
    }

    @Test func secondControllerTakesTheSectionsFromTheCache() throws {
        let bench = try SectionsBench()
        try bench.fill(["ab", "cd", "ab", nil])
        let first = try bench.controller()
        #expect(bench.counted)
        let second = try bench.controller()
        #expect(!bench.counted)
        #expect(second.snapshot == first.snapshot)
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: bench.caches.path).first
        )
        let attributes = try FileManager.default.attributesOfItem(
            atPath: bench.caches.appending(path: file).path
        )
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        bench.cache.delete()
        _ = try bench.controller()
        #expect(bench.counted)
        ResultsCache.deleteAll(in: bench.caches)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.caches.path).isEmpty)
    }

    @Test func saveMakesTheCacheAnew() throws {
        let bench = try SectionsBench()
        try bench.fill(["ab", "cd"])
        _ = try bench.controller()
        let context = bench.bench.context()
        try context.all("Employee")[0]["code"] = "ef"
        try context.save()
        let controller = try bench.controller()
        #expect(bench.counted)
        #expect(controller.snapshot.sections.map(\.name) == ["cd", "ef"])
        #expect(try bench.controller().snapshot == controller.snapshot)
        #expect(!bench.counted)
    }

    @Test func anotherProgramsWriteMakesTheCacheAnew() throws {
        let bench = try SectionsBench()
        try bench.fill(["ab", "cd"])
        _ = try bench.controller()
        var file: OpaquePointer?
        let path = bench.bench.folder.appending(path: "store.sqlite").path
        #expect(sqlite3_open(path, &file) == SQLITE_OK)
        let sql = "UPDATE ZEMPLOYEE SET ZCODE = 'xy' WHERE ZCODE = 'ab'"
        #expect(sqlite3_exec(file, sql, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(file)
        let controller = try bench.controller()
        #expect(controller.snapshot.sections.map(\.name) == ["cd", "xy"])
    }

    @Test func anotherRequestUnderTheSameNameReplacesTheCache() throws {
        let bench = try SectionsBench()
        try bench.fill(["ab", "cd", "ab", "ef"])
        _ = try bench.controller()
        let narrow = try bench.controller("age > 0")
        #expect(bench.counted)
        #expect(narrow.snapshot == (try walked(narrow, "code")))
        let falling = try bench.controller("age > 0", ascending: false)
        #expect(bench.counted)
        #expect(falling.snapshot == (try walked(falling, "code")))
    }

    @Test func brokenCacheIsMadeAnew() throws {
        let bench = try SectionsBench()
        try bench.fill(["ab", "cd"])
        let first = try bench.controller()
        let name = try FileManager.default.contentsOfDirectory(atPath: bench.caches.path)[0]
        let file = bench.caches.appending(path: name)
        let whole = try String(contentsOf: file, encoding: .utf8)
        for damaged in [
            "", "{", String(whole.dropLast(3)),
            whole.replacingOccurrences(of: "\"counts\":[1,1]", with: "\"counts\":[2,0]"),
            whole.replacingOccurrences(of: "\"counts\":[1,1]", with: "\"counts\":[9,9]"),
        ] {
            try Data(damaged.utf8).write(to: file)
            #expect(try bench.controller().snapshot == first.snapshot)
            #expect(bench.counted, "\(damaged)")
        }
        // If the folder cannot be created there is no cache, and no error.
        let nowhere = ResultsCache(named: "x", in: URL(filePath: "/dev/null/caches"))
        let controller = try FetchedResultsController(
            request: first.request,
            context: first.context,
            sectionNameKeyPath: "code",
            cache: nowhere
        )
        try controller.performFetch()
        #expect(controller.snapshot == first.snapshot)
    }

    @Test func pendingChangesAreNotKept() throws {
        let bench = try SectionsBench()
        try bench.fill(["ab", "cd"])
        let context = bench.bench.context()
        try context.make("Employee", ["code": "zz"])
        let pending = try bench.controller(in: context)
        #expect(pending.snapshot.sections.map(\.name) == ["ab", "cd", "zz"])
        context.rollback()
        #expect(try bench.controller().snapshot.sections.map(\.name) == ["ab", "cd"])
    }
}

@Suite("A results controller over many rows")
struct ResultsAtScaleTests {
    @Test(arguments: [nil, "code"], SeededRandom.seeds(1))
    func changesOfFewAndOfManyLeadToTheNewRows(_ section: String?, _ seed: UInt64) throws {
        let context = try TestGraph.context()
        var random = SeededRandom(seed: seed)
        func values() -> [String: GraphValue] {
            [
                "code": .string("c\(random.below(40))"), "name": .string("n\(random.below(900))"),
                "age": .int(Int64(random.below(4))),
            ]
        }
        for _ in 0..<7000 { try context.make("Employee", values()) }
        try context.save()
        var people = try context.all("Employee")
        let keys = (section.map { [$0] } ?? []) + ["name"]
        let mirror = try ResultsMirror(
            context,
            "Employee",
            where: "age > 0",
            sort: keys.map { FetchSortDescriptor($0) },
            sections: section
        )
        for step in 0..<12 {
            for _ in 0..<random.pick([1, 1, 1, 3, 40, 1500]) {
                let index = random.below(people.count)
                switch random.below(6) {
                case 0: people.append(try context.make("Employee", values()))
                case 1:
                    context.delete(people[index])
                    people.swapAt(index, people.count - 1)
                    people.removeLast()
                case 2: people[index]["salary"] = .double(Double(step))
                default: for (key, value) in values() { people[index][key] = value }
                }
            }
            if random.chance(3) { try context.save() } else { context.processPendingChanges() }
            let fresh = try FetchedResultsController(
                request: mirror.controller.request,
                context: context,
                sectionNameKeyPath: section
            )
            try fresh.performFetch()
            #expect(mirror.controller.snapshot == fresh.snapshot, "seed \(seed), step \(step)")
            #expect(mirror.rows == fresh.snapshot, "seed \(seed), step \(step)")
            let row = random.below(fresh.count)
            let id = fresh.objectIDs[row]
            let path = try #require(mirror.controller.indexPath(for: id))
            #expect(mirror.controller.object(at: path).objectID == id)
        }
    }
}
