import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// Roles of the server: a reader, a writer, and somebody without rights.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct RightsTests {
    /// A role with rights on all tables of a bench's schema; it goes with this object.
    private final class Role {
        let bench: ServerBench
        let name = "role-\(UUID().uuidString.prefix(8).lowercased())"

        init(_ bench: ServerBench, _ rights: String?) throws {
            self.bench = bench
            var sql = "CREATE ROLE \"\(name)\" LOGIN"
            if let rights {
                sql += "; GRANT USAGE ON SCHEMA \"\(bench.schema)\" TO \"\(name)\""
                sql += "; GRANT \(rights) ON ALL TABLES IN SCHEMA \"\(bench.schema)\""
                sql += " TO \"\(name)\""
            }
            try bench.server.execute(sql)
        }

        deinit {
            _ = try? bench.server.execute("DROP OWNED BY \"\(name)\"; DROP ROLE \"\(name)\"")
        }

        var url: URL {
            let text = bench.url.absoluteString.replacing("//tests@", with: "//\(name)@")
            return URL(string: text) ?? bench.url
        }

        func container(_ model: ManagedObjectModel) throws -> PersistentContainer {
            try PostgreSQLStores.register()
            return try PersistentContainer(model: model, url: url)
        }
    }

    private static let writing = "SELECT, INSERT, UPDATE, DELETE"

    private func bench() throws -> ServerBench {
        let bench = try ServerBench()
        let (context, _) = try bench.context(searched: true)
        try context.add("Item", ["title": "Grüße"])
        try context.save()
        return bench
    }

    @Test func whoMayNotMakeAStoreIsTold() throws {
        let role = try Role(try ServerBench(), nil)
        let error = #expect(throws: ObjectGraphError.self) {
            try PostgreSQLStore(url: role.url, model: ServerBench.model())
        }
        #expect(error?.code == .serverAccess)
        #expect(error?.message.contains("may not make one") == true, "\(error?.message ?? "")")
    }

    @Test func aReaderReadsSearchesAndHearsOfSavesAndMayNotSave() async throws {
        let bench = try bench()
        let reader = try Role(bench, "SELECT")
        let container = try reader.container(ServerBench.model(searched: true))
        let context = container.viewContext
        #expect(container.coordinator.openStores.first?.isReadOnly == true)
        #expect(try context.found("Item").count == 1)
        #expect(try context.search("grusse", entityName: "Item").count == 1)
        #expect(try context.undoSteps().count == 1)
        try context.add("Item")
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.code == .cannotWrite && error?.message.contains("UPDATE") == true)
        var changes = container.coordinator.remoteChanges().makeAsyncIterator()
        let (owner, _) = try bench.context(searched: true)
        try owner.add("Item")
        try owner.save()
        #expect(try #require(await changes.next()).transaction == 2)
        container.close()
    }

    @Test func aWriterSavesFewAndManyAndUndoes() throws {
        let bench = try bench()
        let writer = try Role(bench, Self.writing)
        let container = try writer.container(ServerBench.model(searched: true))
        let context = container.viewContext
        try context.add("Item", ["title": "one"])
        try context.save(as: "One")
        for number in 0..<200 { try context.add("Item", ["title": .string("\(number)")]) }
        try context.save(as: "Many")
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(try context.found("Item").count == 2)
        container.close()
    }

    /// A writer without the right to delete is told so, and keeps what was changed.
    @Test func aRightThatIsMissingInTheMiddleOfASaveIsNamed() throws {
        let bench = try bench()
        let writer = try Role(bench, "SELECT, INSERT, UPDATE")
        let container = try writer.container(ServerBench.model(searched: true))
        let context = container.viewContext
        context.delete(try #require(try context.found("Item").first))
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.code == .serverAccess && error?.message.contains("DELETE") == true)
        #expect(context.hasChanges)
        container.close()
    }

    @Test func whoHasNoRightsIsToldSo() throws {
        let bench = try bench()
        let nobody = try Role(bench, nil)
        let error = #expect(throws: ObjectGraphError.self) {
            try nobody.container(ServerBench.model(searched: true))
        }
        #expect(error?.code == .serverAccess, "\(String(describing: error))")
    }

    @Test func aMigrationKeepsTheRightsOfOthers() throws {
        let bench = try bench()
        let (reader, writer) = (try Role(bench, "SELECT"), try Role(bench, Self.writing))
        let model = ServerBench.model(searched: true)
        model.entity(named: "Item")?.add(AttributeDescription("colour", .string))
        model.add(EntityDescription("Place", [AttributeDescription("name", .string)]))
        try PostgreSQLStores.register()
        let owner = try PersistentContainer(model: model, url: bench.url)
        owner.close()
        let first = try writer.container(model)
        try first.viewContext.add("Item", ["colour": "red"])
        try first.viewContext.add("Place", ["name": "Bonn"])
        try first.viewContext.save()
        let second = try reader.container(model)
        #expect(try second.viewContext.found("Item").count == 2)
        #expect(try second.viewContext.found("Place").count == 1)
        #expect(second.coordinator.openStores.first?.isReadOnly == true)
        first.close()
        second.close()
    }
}
