import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectModelFile
import ObjectStore
import SQLiteStore
import Testing

/// What a model says beyond entities and properties, from its file into a store: templates,
/// configurations, fetched properties, constraints and indexes.
@Suite struct ModelFeatureTests {
    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift">
            <entity name="Item" isAbstract="YES">
                <attribute name="code" optional="YES" attributeType="String"/>
                <attribute name="rank" optional="YES" attributeType="Integer 64"/>
                <relationship name="list" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="List" inverseName="items" inverseEntity="List"/>
                <fetchIndex name="byRank">
                    <fetchIndexElement property="rank" type="Binary" order="descending"/>
                    <fetchIndexElement property="code" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="List">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Item" inverseName="list" inverseEntity="Item"/>
                <fetchedProperty name="urgent" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Item" \
        predicateString="list == $FETCH_SOURCE AND rank &gt; 5"/>
                </fetchedProperty>
            </entity>
            <entity name="Note" parentEntity="Item"/>
            <entity name="Task" parentEntity="Item">
                <attribute name="done" attributeType="Boolean" defaultValueString="NO"/>
                <fetchIndex name="byDone">
                    <fetchIndexElement property="done" type="Binary" order="ascending"/>
                </fetchIndex>
            </entity>
            <fetchRequest name="Above" entity="Item" \
        predicateString="rank &gt; $RANK AND list.name == $LIST"/>
            <configuration name="Local">
                <memberEntity name="Note"/>
            </configuration>
        </model>
        """

    private func file() throws -> ModelFile {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "contents")
            try Data(Self.contents.utf8).write(to: path)
            return try ModelPackage(contentsOf: path.path).current
        }
    }

    private func withContext(
        _ body: (ManagedObjectContext) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let model = try file().model
            let coordinator = try PersistentStoreCoordinator(model: model)
            let url = folder.appending(path: "store.sqlite")
            coordinator.add(try SQLiteStore(url: url, model: model))
            try body(ManagedObjectContext(coordinator: coordinator))
        }
    }

    @Test func everythingSurvivesReadingAndWriting() throws {
        let read = try file()
        #expect(read.check().isEmpty)
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "M.xcdatamodeld").path
            try ModelPackage("M", read).save(to: path)
            let again = try ModelPackage(contentsOf: path).current
            #expect(again.model.differences(from: read.model).isEmpty)
            #expect(try again.contents() == read.contents())
        }
        let model = read.model
        #expect(model.configurations == ["Local": ["Note"]])
        #expect(model.entity(named: "Item")?.uniquenessConstraints == [["code"]])
        #expect(
            model.entity(named: "Item")?.indexes.first?.elements.map(\.isAscending) == [
                false, true,
            ]
        )
    }

    @Test func generatedCodeSaysTheSame() throws {
        let model = try file().model
        let files = try ModelGenerator(model, typeName: "MModel").files()
        let code = files.map(\.text).joined(separator: "\n")
        for part in [
            "model.configurations = [\"Local\": [\"Note\"]]",
            "model.fetchRequestTemplates[\"Above\"]", ".variable(\"RANK\")",
            "entity.uniquenessConstraints = [[\"code\"]]", "FetchIndexDescription(",
            ".variable(\"FETCH_SOURCE\")",
        ] {
            #expect(code.contains(part), "\(part)")
        }
    }

    @Test func templatesAndFetchedPropertiesFetch() throws {
        try withContext { context in
            let lists = try ["home", "work"].map { name in
                let list = try context.insert(entityNamed: "List")
                try list.setValue(.string(name), forKey: "name")
                return list
            }
            for (index, rank) in [3, 6, 9].enumerated() {
                let task = try context.insert(entityNamed: index == 1 ? "Note" : "Task")
                try task.setValue(.int(Int64(rank)), forKey: "rank")
                try task.setValue(.object(lists[0]), forKey: "list")
            }
            try context.save()
            let request = try FetchRequest<ManagedObject>(
                template: "Above",
                of: context.model,
                variables: ["RANK": 4, "LIST": "home"]
            )
            #expect(try context.fetch(request).count == 2)
            let none = try FetchRequest<ManagedObject>(
                template: "Above",
                of: context.model,
                variables: ["RANK": 4, "LIST": "work"]
            )
            #expect(try context.fetch(none).isEmpty)
            #expect(try lists[0].value(forKey: "urgent").elements?.count == 2)
            #expect(try lists[1].value(forKey: "urgent").elements?.isEmpty == true)
        }
    }

    @Test func templateWithoutItsVariablesFailsByName() throws {
        try withContext { context in
            _ = try context.insert(entityNamed: "Task")
            try context.save()
            let request = try FetchRequest<ManagedObject>(
                template: "Above",
                of: context.model,
                variables: ["LIST": "home"]
            )
            let error = #expect(throws: ObjectGraphError.self) { _ = try context.fetch(request) }
            #expect(error?.code == .invalidRequest && error?.key == "RANK")
            #expect(error?.message == "The variable $RANK of a fetch of Item has no value.")
        }
    }

    @Test func constraintOfAParentHoldsAmongAllItsChildren() throws {
        for inMemory in [false, true] {
            try withContext { sqlite in
                var context = sqlite
                if inMemory {
                    let coordinator = try PersistentStoreCoordinator(model: sqlite.model)
                    coordinator.add(try InMemoryStore(model: sqlite.model))
                    context = ManagedObjectContext(coordinator: coordinator)
                }
                func make(_ entity: String, _ code: String) throws -> ManagedObject {
                    let object = try context.insert(entityNamed: entity)
                    try object.setValue(.string(code), forKey: "code")
                    return object
                }
                _ = try make("Task", "a")
                try context.save()
                let twin = try make("Note", "a")
                let error = #expect(throws: ObjectGraphError.self) { try context.save() }
                #expect(error?.code == .constraintConflict, "\(String(describing: error))")
                #expect(twin.isInserted)
                try twin.setValue("b", forKey: "code")
                try context.save()
            }
        }
    }
}
