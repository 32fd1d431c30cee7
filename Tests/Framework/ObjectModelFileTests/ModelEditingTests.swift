import CaseFiles
import Foundation
import ObjectModel
import ObjectModelFile
import Testing

@Suite struct ModelEditingTests {
    /// Lists and tasks, with everything that can refer to them.
    private func file() throws -> ModelFile {
        var file = ModelFile(ManagedObjectModel())
        try file.addEntity("Item", isAbstract: true)
        try file.addEntity("Task", parent: "Item")
        try file.addEntity("List")
        try file.add(AttributeDescription("title", .string), to: "Item")
        try file.add(
            RelationshipDescription("tasks", to: "Task", toMany: true, deleteRule: .cascade),
            to: "List",
            inverse: RelationshipDescription("list", to: "List")
        )
        let request = FetchDescription(entityName: "Task")
        try file.add(FetchedPropertyDescription("late", request), to: "List")
        try file.setFetchRequest(request, named: "All")
        try file.setConfiguration(["Task", "List"], named: "Main")
        file.model.entity(named: "Task")?.uniquenessConstraints = [["title"]]
        file.model.entity(named: "Item")?.indexes = [
            FetchIndexDescription("byTitle", [.init("title")])
        ]
        return file
    }

    /// The model as it comes back from its text, so that what is written can be read.
    private func again(_ file: ModelFile) throws -> ModelFile {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "M.xcdatamodeld").path
            try ModelPackage("M", file).save(to: path)
            let read = try ModelPackage(contentsOf: path).current
            #expect(read.issues.isEmpty)
            #expect(read.model.differences(from: file.model).isEmpty)
            return read
        }
    }

    @Test func addedThingsAreWrittenAndHaveNoMistakes() throws {
        let read = try again(file())
        #expect(read.check().filter(\.isError).isEmpty)
        let tasks = read.model.entity(named: "List")?.ownProperties.first { $0.name == "tasks" }
        #expect((tasks as? RelationshipDescription)?.inverseName == "list")
    }

    @Test func whatRefersToARenamedEntityFollows() throws {
        var file = try file()
        try file.renameEntity("Task", to: "Job")
        try file.renameEntity("Item", to: "Thing")
        let read = try again(file)
        #expect(read.check().filter(\.isError).isEmpty)
        let job = read.model.entity(named: "Job")
        #expect(job?.superentityName == "Thing")
        #expect(job?.renamingIdentifier == "Task")
        #expect(job?.className == "Job")
        #expect(read.model.configurations["Main"]?.sorted() == ["Job", "List"])
        #expect(read.model.fetchRequestTemplates["All"]?.entityName == "Job")
        try file.renameEntity("Job", to: "Chore")
        #expect(file.model.entity(named: "Chore")?.renamingIdentifier == "Task")
    }

    @Test func whatRefersToARenamedPropertyFollows() throws {
        var file = try file()
        try file.renameProperty("title", of: "Item", to: "name")
        try file.renameProperty("list", of: "Task", to: "owner")
        let read = try again(file)
        #expect(read.check().filter(\.isError).isEmpty)
        #expect(read.model.entity(named: "Task")?.uniquenessConstraints == [["name"]])
        #expect(read.model.entity(named: "Item")?.indexes.first?.elements.first?.property == "name")
        let tasks = read.model.entity(named: "List")?.ownProperties.first { $0.name == "tasks" }
        #expect((tasks as? RelationshipDescription)?.inverseName == "owner")
    }

    @Test func keyPathsOverARenamedPropertyFollow() throws {
        var file = try file()
        func attribute(_ name: String, _ derivation: String) -> AttributeDescription {
            let attribute = AttributeDescription(name, .string)
            attribute.derivation = derivation
            return attribute
        }
        try file.add(attribute("folded", "canonical:(title)"), to: "Task")
        try file.add(attribute("longest", "tasks.title.@max"), to: "List")
        // Another property of the same name, which is not meant.
        try file.add(AttributeDescription("title", .string), to: "List")
        func predicate(_ format: String) throws -> FetchPredicate {
            try FetchPredicate(format: format)
        }
        var request = FetchDescription(
            entityName: "List",
            predicate: try predicate(
                "title == 'title' AND ANY tasks.title CONTAINS title"
                    + " AND SUBQUERY(tasks, $t, $t.title == title AND $t.list.title != nil).@count > 0"
            ),
            sortDescriptors: [
                FetchSortDescriptor("tasks.@min.title"), FetchSortDescriptor("title"),
            ]
        )
        request.propertiesToFetch = [.init("title"), .init("tasks.@max.title")]
        try file.setFetchRequest(request, named: "Lists")
        try file.setFetchRequest(
            FetchDescription(entityName: "Task", predicate: try predicate("list == $A.title")),
            named: "Doubtful"
        )
        try file.add(
            FetchedPropertyDescription(
                "same",
                FetchDescription(
                    entityName: "Task",
                    predicate: try predicate("title == $FETCH_SOURCE.title AND list.title != 'x'")
                )
            ),
            to: "List"
        )
        file.model.entity(named: "Task")?.indexes = [
            FetchIndexDescription(
                "named",
                [.init("lowercase(title)", isExpression: true)],
                where: try predicate("title != nil")
            )
        ]
        #expect(
            try file.renameProperty("title", of: "Item", to: "name") == ["fetch request Doubtful"]
        )
        let kept = try #require(file.model.fetchRequestTemplates["Lists"])
        #expect(kept.sortDescriptors.map(\.keyPath) == ["tasks.@min.name", "title"])
        #expect(kept.propertiesToFetch.map(\.name) == ["title", "tasks.@max.name"])
        // The editor's format has no place for orders and columns.
        try file.setFetchRequest(
            FetchDescription(entityName: "List", predicate: kept.predicate),
            named: "Lists"
        )
        let read = try again(file)
        let lists = try #require(read.model.fetchRequestTemplates["Lists"])
        #expect(
            lists.predicate?.format == "title == \"title\" AND ANY tasks.name CONTAINS title"
                + " AND SUBQUERY(tasks, $t, $t.name == title AND $t.list.title != nil).@count > 0"
        )
        let list = try #require(read.model.entity(named: "List"))
        let same = list.ownProperties.first { $0.name == "same" } as? FetchedPropertyDescription
        #expect(
            same?.fetchRequest.predicate?.format
                == "name == $FETCH_SOURCE.title AND list.title != \"x\""
        )
        let longest = list.ownProperties.first { $0.name == "longest" } as? AttributeDescription
        #expect(longest?.derivation == "tasks.name.@max")
        let task = try #require(read.model.entity(named: "Task"))
        let folded = task.ownProperties.first { $0.name == "folded" } as? AttributeDescription
        #expect(folded?.derivation == "canonical:(name)")
        #expect(task.indexes.first?.partialPredicate?.format == "name != nil")
        #expect(task.indexes.first?.elements.first?.property == "lowercase(name)")
        #expect(read.check().filter(\.isError).isEmpty)
    }

    @Test func whatBelongsToARemovedThingGoesWithIt() throws {
        var file = try file()
        #expect(throws: ObjectGraphError.self) { try file.removeEntity("Item") }
        #expect(try file.removeEntity("Task") == ["List.late", "List.tasks", "fetch request All"])
        try file.removeProperty("title", of: "Item")
        let read = try again(file)
        #expect(read.check().filter(\.isError).isEmpty)
        #expect(read.model.entity(named: "List")?.ownProperties.isEmpty == true)
        #expect(read.model.entity(named: "Item")?.indexes.isEmpty == true)
        #expect(read.model.configurations["Main"] == ["List"])
    }

    @Test func removedRelationshipLeavesItsInverseAlone() throws {
        var file = try file()
        try file.removeProperty("list", of: "Task")
        let tasks = file.model.entity(named: "List")?.ownProperties.first { $0.name == "tasks" }
        #expect((tasks as? RelationshipDescription)?.inverseName == nil)
    }

    @Test func changesThatCannotBeMadeChangeNothing() throws {
        var file = try file()
        let before = try file.contents()
        func refuses(_ change: (inout ModelFile) throws -> Void) {
            #expect(throws: ObjectGraphError.self) { try change(&file) }
        }
        refuses { try $0.addEntity("Task") }
        refuses { try $0.addEntity("2nd") }
        refuses { try $0.addEntity("New", parent: "Nobody") }
        refuses { try $0.add(AttributeDescription("title", .string), to: "Task") }
        refuses { try $0.add(AttributeDescription("list", .string), to: "Item") }
        refuses { try $0.add(RelationshipDescription("x", to: "Nobody"), to: "Task") }
        refuses { try $0.add(RelationshipDescription("x", to: "List", inverse: "y"), to: "Task") }
        refuses { try $0.renameEntity("Task", to: "List") }
        refuses { try $0.renameEntity("Nobody", to: "X") }
        refuses { try $0.renameProperty("list", of: "Task", to: "title") }
        refuses { try $0.renameProperty("title", of: "Task", to: "x") }
        refuses { try $0.removeProperty("none", of: "Task") }
        refuses { try $0.setFetchRequest(nil, named: "None") }
        refuses { try $0.setFetchRequest(FetchDescription(entityName: "Nobody"), named: "N") }
        refuses { try $0.setConfiguration(["Nobody"], named: "N") }
        refuses { try $0.setConfiguration(nil, named: "None") }
        #expect(try file.contents() == before)
    }

    @Test func versionIsACopyOfItsOwn() throws {
        var package = ModelPackage("M", try file())
        try package.addVersion("M 2")
        #expect(package.currentName == "M")
        var second = try #require(package.versions["M 2"])
        try second.addEntity("New")
        #expect(package.versions["M"]?.model.entity(named: "New") == nil)
        try package.setCurrent("M 2")
        #expect(package.currentName == "M 2")
        #expect(throws: ObjectGraphError.self) { try package.addVersion("M") }
        #expect(throws: ObjectGraphError.self) { try package.addVersion("M 3", basedOn: "M 9") }
        #expect(throws: ObjectGraphError.self) { try package.setCurrent("M 9") }
    }

    @Test func versionThatFitsAStoreIsFound() throws {
        var package = ModelPackage("M", try file())
        try package.addVersion("M 2")
        try package.versions["M 2"]?.addEntity("New")
        func metadata(_ name: String) throws -> [String: GraphValue] {
            let model = try #require(package.versions[name]?.model)
            let hashes = model.entityVersionHashes().mapValues { GraphValue.data($0) }
            return ["NSStoreModelVersionHashes": .dictionary(hashes)]
        }
        #expect(package.versionName(forStoreMetadata: try metadata("M")) == "M")
        #expect(package.versionName(forStoreMetadata: try metadata("M 2")) == "M 2")
        #expect(package.versionName(forStoreMetadata: [:]) == nil)
    }

    @Test func allModelsOfAFolderAreMerged() throws {
        try withTemporaryFolder { folder in
            var other = ModelFile(ManagedObjectModel())
            try other.addEntity("Note")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "deeper"),
                withIntermediateDirectories: true
            )
            try ModelPackage("A", try file())
                .save(to: folder.appending(path: "A.xcdatamodeld").path)
            try ModelPackage("B", other)
                .save(to: folder.appending(path: "deeper/B.xcdatamodel").path)
            let merged = try ModelPackage.mergedModel(inFolder: folder.path)
            #expect(merged.entities.map(\.name).sorted() == ["Item", "List", "Note", "Task"])
        }
        try withTemporaryFolder { folder in
            #expect(throws: ObjectGraphError.self) {
                try ModelPackage.mergedModel(inFolder: folder.path)
            }
            #expect(throws: ObjectGraphError.self) {
                try ModelPackage.models(inFolder: folder.path + "/nowhere")
            }
        }
    }

    @Test(.enabled(if: CaseFiles.has("models"), "there is no folder of models"))
    func realModelsSurviveRenamingAndBack() throws {
        for package in try modelsOfTheCases() {
            let path = package.currentName
            var file = package.current
            // One with errors of its own is not edited: renaming would tell these again.
            if file.check().contains(where: \.isError) { continue }
            let names = file.model.entities.map(\.name)
            for name in names { try file.renameEntity(name, to: name + "Renamed") }
            #expect(file.check().allSatisfy { !$0.isError }, "\(path)")
            for name in names { try file.renameEntity(name + "Renamed", to: name) }
            #expect(file.check().allSatisfy { !$0.isError }, "\(path)")
        }
    }
}
