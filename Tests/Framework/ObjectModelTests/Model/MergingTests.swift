import FoundationEssentials
import ObjectModel
import Testing

@Suite struct MergingTests {
    private func model(_ entities: EntityDescription...) -> ManagedObjectModel {
        ManagedObjectModel(entities)
    }

    private func task(_ type: AttributeType = .string) -> EntityDescription {
        EntityDescription("Task", [AttributeDescription("title", type)])
    }

    @Test func modelsBecomeOne() throws {
        let (first, second) = (model(task()), model(task(), EntityDescription("Note")))
        first.configurations["Main"] = ["Task"]
        second.configurations["Main"] = ["Task", "Note"]
        second.fetchRequestTemplates["All"] = FetchDescription(entityName: "Task")
        first.versionIdentifiers = ["1"]
        second.versionIdentifiers = ["2"]
        let merged = try ManagedObjectModel.merging([first, second])
        #expect(merged.entities.map(\.name) == ["Task", "Note"])
        #expect(merged.configurations["Main"] == ["Task", "Note"])
        #expect(merged.fetchRequestTemplates.count == 1)
        #expect(merged.versionIdentifiers == ["1", "2"])
        try merged.freeze()
        #expect(!first.isFrozen)
        #expect(first.entity(named: "Task") !== merged.entity(named: "Task"))
    }

    @Test func entityThatDiffersIsRefusedWithItsPlace() throws {
        let error = #expect(throws: ObjectGraphError.self) {
            try ManagedObjectModel.merging([model(task()), model(task(.integer16))])
        }
        #expect(error?.code == .invalidModel)
        #expect(error?.message.contains("Task.title") == true)
    }

    @Test func requestThatDiffersIsRefused() throws {
        let (first, second) = (model(task()), model(task()))
        first.fetchRequestTemplates["All"] = FetchDescription(entityName: "Task")
        second.fetchRequestTemplates["All"] = FetchDescription(entityName: "Note")
        #expect(throws: ObjectGraphError.self) {
            try ManagedObjectModel.merging([first, second])
        }
    }

    @Test func modelFitsTheMetadataThatItsHashesMade() {
        let first = model(task())
        let hashes = GraphValue.dictionary(first.entityVersionHashes().mapValues { .data($0) })
        let metadata = ["NSStoreModelVersionHashes": hashes]
        #expect(first.fits(storeMetadata: metadata))
        #expect(!model(task(.date)).fits(storeMetadata: metadata))
        #expect(!first.fits(storeMetadata: [:]))
    }
}
