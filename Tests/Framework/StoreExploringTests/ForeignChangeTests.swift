import CaseFiles
import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SQLiteStore
import StoreExploring
import Testing

/// Stores of Apple's framework are changed without harm: every store among the cases, and one with
/// ordered relationships, many to many, and triggers.
@Suite struct ForeignChangeTests {
    /// A copy of a store, with its log.
    private static func copy(of path: String, to place: TestPlace) throws -> URL {
        for suffix in ["", "-wal"] where CaseFiles.has("stores/" + path + suffix) {
            try CaseFiles.data("stores/" + path + suffix)
                .write(to: place.file("store.sqlite" + suffix))
        }
        return place.file()
    }

    /// All SQLite files among the cases, found by their first bytes.
    static let cases: [String] = {
        let root = CaseFiles.folder.appending(path: "stores")
        let found = FileManager.default.subpaths(atPath: root.path) ?? []
        return found.sorted().filter { path in
            let file = try? FileHandle(forReadingFrom: root.appending(path: path))
            let start = try? file?.read(upToCount: 15)
            return start == Data("SQLite format 3".utf8)
        }
    }()

    /// The model that a file has, without what needs code of its program.
    private static func model(of url: URL) throws -> ManagedObjectModel {
        let opened = try SQLiteStore.inspect(url)
        defer { opened.store.close() }
        let model = opened.found.model
        for entity in model.entities {
            for case let attribute as AttributeDescription in entity.ownProperties
            where attribute.type == .transformable {
                attribute.type = .binary
                attribute.valueTransformerName = nil
                attribute.defaultValue = .null
            }
        }
        return model
    }

    // MARK: Counts

    @Test(.enabled(if: CaseFiles.has("stores"), "there is no folder with cases"))
    func thereAreStoresAmongTheCases() { #expect(Self.cases.count >= 5) }

    @Test(
        .enabled(if: CaseFiles.has("stores"), "there is no folder with cases"),
        arguments: ForeignChangeTests.cases
    )
    func countsAreThoseOfTheTables(_ path: String) throws {
        let place = try TestPlace()
        let url = try Self.copy(of: path, to: place)
        let before = try place.state()
        let overview = try StoreInspector(url).overview()
        #expect(try place.state() == before)
        let raw = try RawFile(url)
        let names = try raw.rows("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
        #expect(Set(overview.entities.map(\.name)) == Set(names))
        for entity in overview.entities {
            let root = try Self.root(of: entity.name, raw)
            let count = try raw.number(
                "SELECT COUNT(*) FROM Z\(root.uppercased()) WHERE Z_ENT = \(entity.number)"
            )
            #expect(entity.rows == count, "\(entity.name)")
            let number = try raw.number(
                "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)'"
            )
            #expect(entity.number == number)
            var seen = 0
            var last = 0
            _ = try StoreInspector(url).forEachObject(of: entity.name) { objects in
                for object in objects {
                    #expect(Int(object.key) > last)
                    last = Int(object.key)
                }
                seen += objects.count
            }
            #expect(seen == count)
        }
    }

    private static func root(of name: String, _ raw: RawFile) throws -> String {
        try raw.rows(
            "WITH RECURSIVE up(n, s) AS (SELECT Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME ="
                + " '\(name)' UNION ALL SELECT p.Z_NAME, p.Z_SUPER FROM Z_PRIMARYKEY p, up"
                + " WHERE p.Z_ENT = up.s) SELECT n FROM up WHERE s = 0 OR s IS NULL"
        ).first ?? ""
    }

    // MARK: Changes

    @Test(
        .enabled(if: CaseFiles.has("stores"), "there is no folder with cases"),
        arguments: ForeignChangeTests.cases
    )
    func aStoreOfTheCasesTakesChangesWithoutHarm(_ path: String) throws {
        let place = try TestPlace()
        let url = try Self.copy(of: path, to: place)
        // A store whose migration was not finished has other entities in its metadata than in its
        // tables; it is not opened for changes.
        let hashes = try StoreInspector(url).overview().hashes.map(\.entity)
        let names = try RawFile(url).rows("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
        if Set(hashes) == Set(names) { return try change(url) }
        let before = try place.state()
        #expect(throws: ObjectGraphError.self) {
            try PersistentContainer(model: try Self.model(of: url), url: url)
        }
        #expect(try place.state().first == before.first)
    }

    @Test func aStoreWithEverythingTakesChangesWithoutHarm() throws {
        let place = try TestPlace()
        try AppleStore.make(at: place.file(), keepsModel: true)
        try change(place.file())
    }

    /// Inserts, updates, links and deletes objects of every entity, and compares the file with what
    /// it was, by plain SQL.
    private func change(_ url: URL) throws {
        let before = try FileState(url)
        let container = try PersistentContainer(model: try Self.model(of: url), url: url)
        let context = container.viewContext
        let model = container.coordinator.model
        var touched: Set<String> = []
        func note(_ object: ManagedObject) {
            if !object.objectID.isTemporaryID {
                touched.insert("\(object.entity.name)/\(object.objectID.key)")
            }
        }
        var inserted: [ManagedObject] = []
        for entity in model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
            let all = try objects(entity, context)
            let new = try context.insert(entityNamed: entity.name)
            try fill(new, like: all.first)
            inserted.append(new)
            if let first = all.first {
                for attribute in entity.attributes
                where !attribute.isTransient && !attribute.isDerived {
                    guard let value = changed(try first.value(forKey: attribute.name)) else {
                        continue
                    }
                    try first.setValue(value, forKey: attribute.name)
                    note(first)
                    break
                }
            }
        }
        // Each relationship of the first object of an entity: to one, to a new object; to many, in
        // another order and with a new member.
        var used: Set<ManagedObjectID> = []
        for object in inserted {
            for relationship in object.entity.relationships where !relationship.isTransient {
                guard let destination = relationship.destination else { continue }
                let free = try objects(destination, context).filter { member in
                    !used.contains(member.objectID) && member !== object
                }
                let members = free.prefix(2)
                for member in members where relationship.isToMany { used.insert(member.objectID) }
                for member in members {
                    note(member)
                    for inverse in [relationship.inverse].compactMap({ $0 }) {
                        for owner in try destinations(of: member, inverse) { note(owner) }
                    }
                }
                if relationship.isToMany {
                    let ids = members.map { GraphValue.object($0) }
                    try object.setValue(
                        relationship.isOrdered ? .array(ids.reversed()) : .set(Set(ids)),
                        forKey: relationship.name
                    )
                } else if let first = members.first,
                    try object.value(forKey: relationship.name).isNull
                {
                    try object.setValue(.object(first), forKey: relationship.name)
                }
            }
        }
        // An object without links to required ones is deleted.
        for entity in model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
            guard let last = try objects(entity, context).last, !inserted.contains(last),
                !touched.contains("\(entity.name)/\(last.objectID.key)")
            else { continue }
            for relationship in last.entity.relationships {
                for id in try destinations(of: last, relationship) { note(id) }
            }
            note(last)
            context.delete(last)
            break
        }
        try context.save()
        let insertedIDs = inserted.map(\.objectID)
        container.close()
        try before.expectUnharmed(url, model, touched: touched, inserted: insertedIDs)

        // What was written is read again, and by a second opening.
        let second = try PersistentContainer(model: try Self.model(of: url), url: url)
        for id in insertedIDs {
            let found = second.coordinator.managedObjectID(forURI: id.uri)
            #expect(try found.map { try second.viewContext.existingObject(with: $0) } != nil)
        }
        second.close()
    }

    private func objects(
        _ entity: EntityDescription,
        _ context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        let request = FetchRequest<ManagedObject>(entityName: entity.name)
        return try context.fetch(request).filter { $0.entity === entity }
            .sorted { $0.objectID < $1.objectID }
    }

    private func destinations(
        of object: ManagedObject,
        _ relationship: RelationshipDescription
    ) throws -> [ManagedObject] {
        switch try object.value(forKey: relationship.name) {
        case .object(let one): return [one as? ManagedObject].compactMap { $0 }
        case .array(let many): return many.compactMap { $0.managedObject }
        case .set(let many): return many.compactMap { $0.managedObject }
        default: return []
        }
    }

    /// Gives a new object values: those of another one, where they must be there and may be equal.
    private func fill(_ object: ManagedObject, like other: ManagedObject?) throws {
        for attribute in object.entity.attributes
        where !attribute.isTransient && !attribute.isDerived && attribute.defaultValue.isNull {
            let value: GraphValue
            switch attribute.type {
            case .string: value = .string("new ✎ \(UUID())")
            case .integer16, .integer32, .integer64: value = .int(77)
            case .double, .float: value = .double(0.25)
            case .boolean: value = .bool(true)
            case .date: value = .date(Date(timeIntervalSinceReferenceDate: 700_000_000))
            case .decimal: value = .decimal(Decimal(string: "12.5") ?? 0)
            case .uuid: value = .uuid(UUID())
            case .binary: value = .data(Data([0, 1, 2]))
            case .uri: value = URL(string: "https://example.org").map { .url($0) } ?? .null
            default: continue
            }
            try object.setValue(value, forKey: attribute.name)
        }
    }

    /// Another value of the same kind; `nil` for one that is left alone.
    private func changed(_ value: GraphValue) -> GraphValue? {
        switch value {
        case .string(let text): .string(text + " changed")
        case .int(let number): .int(number == 1 ? 2 : 1)
        case .double(let number): .double(number + 0.5)
        case .date(let date): .date(date.addingTimeInterval(60))
        default: nil
        }
    }
}

extension GraphValue {
    fileprivate var managedObject: ManagedObject? {
        if case .object(let object) = self { object as? ManagedObject } else { nil }
    }
}
