import Foundation
import ObjectGraph
import ObjectModel
import Testing

/// Ways over several versions: the shortest route, and stages.
@Suite struct RouteTests {
    private let folder: MigrationFolder

    init() throws { folder = try MigrationFolder() }

    /// Version 1 has a name, version 2 a first and a last name beside it, version 3 the two alone,
    /// version 4 a birthday too.
    private static func version(_ number: Int) -> ManagedObjectModel {
        let person = EntityDescription("Person")
        func add(_ name: String) {
            person.add(AttributeDescription(name, .string, optional: false, default: .string("")))
        }
        if number < 3 { add("name") }
        if number > 1 {
            add("first")
            add("last")
        }
        if number > 3 { person.add(AttributeDescription("born", .date)) }
        let model = ManagedObjectModel([person])
        model.versionIdentifiers = ["\(number)"]
        return model
    }

    private static func names() throws -> MappingModel {
        var mapping = try MappingModel.inferred(from: version(1), to: version(2))
        mapping["PersonToPerson"]?.attributeMappings += [
            try PropertyMapping("first", format: "lowercase($source.name)"),
            try PropertyMapping("last", format: "uppercase($source.name)"),
        ]
        return mapping
    }

    private func makeStore(_ number: Int = 1) throws {
        let container = try PersistentContainer(model: Self.version(number), url: folder.file())
        defer { container.close() }
        for name in ["Ada", "Bob"] {
            let person = try container.viewContext.insert(entityNamed: "Person")
            try person.setValue(.string(name), forKey: number < 3 ? "name" : "first")
        }
        try container.viewContext.save()
    }

    private func people(_ options: StoreOptions, _ number: Int = 4) throws -> [String] {
        let container = try PersistentContainer(
            model: Self.version(number),
            url: folder.file(),
            options: options
        )
        defer { container.close() }
        let request = FetchRequest<ManagedObject>(
            entityName: "Person",
            sortDescriptors: [FetchSortDescriptor("first")]
        )
        return try container.viewContext.fetch(request).map {
            "\(try $0.value(forKey: "first")) \(try $0.value(forKey: "last"))"
        }
    }

    @Test func inferredStepNeverPassesOverAMappingModel() throws {
        try makeStore()
        var options = StoreOptions()
        options.migration.versions = (1...4).map(Self.version)
        options.migration.mappings = [try Self.names()]
        options.migration.keepsBackup = true
        options.migration.beforeMigration = { pending in
            #expect(pending.stepCount == 2 && !pending.isInPlace)
        }
        #expect(
            try people(options) == [
                "string(\"ada\") string(\"ADA\")", "string(\"bob\") string(\"BOB\")",
            ]
        )
        #expect(folder.names == ["store.sqlite", "~store.sqlite"])
        let old = try PersistentContainer(model: Self.version(1), url: folder.file("~store.sqlite"))
        #expect(try old.viewContext.count(for: FetchRequest<Int>(entityName: "Person")) == 2)
        old.close()
    }

    @Test func withoutMappingModelsTheWayIsOneStepInPlace() throws {
        try makeStore()
        var options = StoreOptions()
        options.migration.versions = (1...4).map(Self.version)
        options.migration.beforeMigration = { pending in
            #expect(pending.stepCount == 1 && pending.isInPlace)
        }
        #expect(try people(options).count == 2)
    }

    @Test func everyOlderVersionReachesTheNewest() throws {
        for number in 1...4 {
            try makeStore(number)
            var options = StoreOptions()
            options.migration.versions = (1...4).map(Self.version)
            options.migration.mappings = [try Self.names()]
            #expect(try people(options).count == 2, "from \(number)")
            try FileManager.default.removeItem(at: folder.file())
        }
    }

    @Test func wayThatDoesNotExistIsRefusedWithItsReason() throws {
        try makeStore()
        let other = EntityDescription("Person")
        other.add(AttributeDescription("name", .integer64))
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(model: ManagedObjectModel([other]), url: folder.file())
        }
        #expect(error?.code == .inferredMapping && error?.key == "name")
        #expect(error?.message.contains("Person.name") == true)
    }

    private func stages(
        _ didMigrate: @escaping MigrationStage.Work
    ) -> StagedMigration {
        StagedMigration([
            .custom(
                "Split names",
                from: ModelReference(Self.version(1), checksum: Self.version(1).versionChecksum),
                to: ModelReference(Self.version(2)),
                didMigrate: didMigrate
            ),
            .lightweight(
                "Clean up",
                [2, 3, 4].map { ModelReference(Self.version($0)) }
            ),
        ])
    }

    @Test func stagesDoTheirWorkBetweenTheVersions() throws {
        try makeStore()
        var options = StoreOptions()
        options.migration.stages = stages { context in
            for person in try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                try person.setValue(try person.value(forKey: "name"), forKey: "first")
            }
        }
        #expect(
            try people(options) == ["string(\"Ada\") string(\"\")", "string(\"Bob\") string(\"\")"]
        )
        #expect(folder.names == ["store.sqlite"])
    }

    @Test func storeEntersAtTheStageOfItsVersion() throws {
        try makeStore(3)
        var options = StoreOptions()
        options.migration.stages = stages { _ in Issue.record("the stage is over") }
        #expect(try people(options).count == 2)
    }

    @Test func failingStageLeavesTheStoreAsItWas() throws {
        try makeStore()
        let before = try GraphDump(folder.file(), Self.version(1))
        struct Failure: Error {}
        var options = StoreOptions()
        options.migration.stages = stages { _ in throw Failure() }
        let error = #expect(throws: ObjectGraphError.self) { _ = try people(options) }
        #expect(error?.code == .migrationStages)
        #expect(error?.message.contains("Split names") == true)
        #expect(error?.underlying.first is Failure)
        #expect(folder.names == ["store.sqlite"])
        #expect(try GraphDump(folder.file(), Self.version(1)) == before)
    }

    @Test func stagesThatDoNotLeadToTheModelAreRefused() throws {
        try makeStore()
        let one = ModelReference(Self.version(1))
        let three = ModelReference(Self.version(3))
        for stages in [
            [MigrationStage.lightweight("Half", [one, three])],
            [.lightweight("None", [three, ModelReference(Self.version(4))])],
            [.lightweight("Wrong", [ModelReference(Self.version(1), checksum: "x"), three])],
            [
                .lightweight("Gap", [one, ModelReference(Self.version(2))]),
                .lightweight("Rest", [three, ModelReference(Self.version(4))]),
            ],
        ] {
            var options = StoreOptions()
            options.migration.stages = StagedMigration(stages)
            options.migration.versions = [Self.version(1)]
            let error = #expect(throws: ObjectGraphError.self) { _ = try people(options) }
            #expect(error?.code == .migrationStages, "\(String(describing: error))")
        }
        try PersistentContainer(model: Self.version(1), url: folder.file()).close()
    }
}
