import Foundation
import ObjectGraph
import ObjectGraphEncryption
import Testing

@Suite("Encrypted attributes")
struct EncryptedAttributeTests {
    private static var values: [GraphValue] {
        [
            "", "x", "Grüße 👩‍👩‍👧‍👦", "a\0b", .string(String(repeating: "long ", count: 50_000)),
            .string(String(repeating: "0", count: 30)), .string(String(repeating: "0", count: 31)),
            .data(Data()), .data(Data([0, 0x80, 0])), .data(Data(repeating: 0x80, count: 100)),
            .int(-1), .double(.pi), .bool(true), .date(Date(timeIntervalSinceReferenceDate: 1)),
            ["a", 1, nil, ["b": true]], .url(URL(filePath: "/x")),
        ]
    }

    @Test(arguments: [false, true])
    func storedValuesComeBackInAnotherContext(inMemory: Bool) throws {
        let vault = try Vault(inMemory: inMemory)
        let made = try Self.values.map { try vault.add("n", $0) }
        #expect(try made.map { try $0.value(forKey: "password") } == Self.values)
        try vault.context.save()
        #expect(try made.map { try $0.value(forKey: "password") } == Self.values)
        let other = vault.container.newContext()
        for (object, value) in zip(made, Self.values) {
            let read = try other.existingObject(with: object.objectID)
            #expect(try read.value(forKey: "password") == value)
            #expect(try read.value(forKey: "notes") == nil)
        }
    }

    @Test(arguments: [false, true])
    func lockedValueThrowsAndTheRestIsReadable(inMemory: Bool) throws {
        let vault = try Vault(inMemory: inMemory)
        let object = try vault.add("bank", "secret")
        try vault.context.save()
        let other = vault.container.newContext()
        let read = try other.existingObject(with: object.objectID)
        vault.ring.lock()
        for object in [object, read] {
            let error = #expect(throws: ObjectGraphError.self) {
                try object.value(forKey: "password")
            }
            #expect(error?.code == .valuesLocked)
            #expect(error?.key == "password")
            #expect(error?.objectIDs == [object.objectID])
            #expect("\(error as Any)".contains("Credential.password"))
            #expect(try object.value(forKey: "name") == "bank")
            #expect(try object.value(forKey: "notes") == nil)
        }
        // Nothing has to be refreshed.
        try vault.unlock()
        for object in [object, read] { #expect(try object.value(forKey: "password") == "secret") }
    }

    @Test func objectsReadWhileLockedAreReadableAfterUnlocking() throws {
        let vault = try Vault()
        let id = try vault.add("bank", "secret")
        try vault.context.save()
        vault.ring.lock()
        let other = vault.container.newContext()
        let read = try other.existingObject(with: id.objectID)
        #expect(throws: ObjectGraphError.self) { try read.value(forKey: "password") }
        try vault.unlock()
        #expect(try read.value(forKey: "password") == "secret")
    }

    @Test(arguments: [false, true])
    func saveOfAnotherAttributeWhileLockedKeepsTheValue(inMemory: Bool) throws {
        let vault = try Vault(inMemory: inMemory)
        let object = try vault.add("bank", "secret")
        try vault.context.save()
        vault.ring.lock()
        for name in ["one", "two"] {
            try object.setValue(.string(name), forKey: "name")
            try vault.context.save()
        }
        let other = vault.container.newContext()
        let read = try other.existingObject(with: object.objectID)
        try read.setValue("three", forKey: "name")
        try other.save()
        try vault.unlock()
        let last = vault.container.newContext()
        let found = try last.existingObject(with: object.objectID)
        #expect(try found.value(forKey: "name") == "three")
        #expect(try found.value(forKey: "password") == "secret")
    }

    @Test(arguments: ["new", nil])
    func settingAValueWhileLockedThrowsAndChangesNothing(_ text: String?) throws {
        let vault = try Vault()
        let object = try vault.add("bank", "secret")
        try vault.context.save()
        vault.ring.lock()
        let error = #expect(throws: ObjectGraphError.self) {
            try object.setValue(text.value, forKey: "password")
        }
        #expect(error?.code == .valuesLocked)
        #expect(!vault.context.hasChanges)
        try vault.unlock()
        #expect(try object.value(forKey: "password") == "secret")
    }

    @Test func insertionWithAValueWhileLockedIsNotSaved() throws {
        let vault = try Vault()
        vault.ring.lock()
        let object = try vault.context.insert(entityNamed: "Credential")
        #expect(throws: ObjectGraphError.self) { try object.setValue("x", forKey: "password") }
        try object.setValue("without", forKey: "name")
        try vault.context.save()
        #expect(try object.value(forKey: "password") == nil)
    }

    @Test func changeSetBeforeLockingIsSavedAfterUnlocking() throws {
        let vault = try Vault()
        let object = try vault.add("bank", "secret")
        vault.ring.lock()
        let error = #expect(throws: ObjectGraphError.self) { try vault.context.save() }
        #expect(error?.code == .valuesLocked)
        #expect(object.isInserted)
        try vault.unlock()
        try vault.context.save()
        #expect(try object.value(forKey: "password") == "secret")
    }

    @Test func equalValueIsNoChange() throws {
        let vault = try Vault()
        let object = try vault.add("bank", "secret")
        try vault.context.save()
        try object.setValue("secret", forKey: "password")
        vault.context.processPendingChanges()
        #expect(!object.hasPersistentChangedValues)
        try object.setValue("other", forKey: "password")
        try object.setValue("secret", forKey: "password")
        vault.context.processPendingChanges()
        #expect(!object.hasPersistentChangedValues)
        try object.setValue("other", forKey: "password")
        #expect(object.changedValues() == ["password": "other"])
        #expect(object.committedValues()["password"] == "secret")
    }

    @Test func undoAndRedoOfAnEditNeedNoKey() throws {
        let vault = try Vault()
        let undo = UndoManager()
        vault.context.undoManager = undo
        let object = try vault.add("bank", "one")
        try vault.context.save()
        undo.removeAllActions()
        try object.setValue("two", forKey: "password")
        vault.context.processPendingChanges()
        vault.ring.lock()
        try undo.undo()
        try undo.redo()
        try undo.undo()
        try vault.unlock()
        #expect(try object.value(forKey: "password") == "one")
        try undo.redo()
        #expect(try object.value(forKey: "password") == "two")
    }

    @Test func undoOfSavedCommandsNeedsNoKey() throws {
        let vault = try Vault()
        let object = try vault.add("bank", "one")
        try vault.context.save()
        try object.setValue("two", forKey: "password")
        try vault.context.save()
        vault.ring.lock()
        #expect(try vault.context.undoLastCommand()?.conflicts.isEmpty == true)
        try vault.unlock()
        #expect(try object.value(forKey: "password") == "one")
        vault.ring.lock()
        #expect(try vault.context.redoLastCommand()?.conflicts.isEmpty == true)
        vault.context.delete(object)
        try vault.context.save()
        #expect(try vault.context.undoLastCommand()?.conflicts.isEmpty == true)
        try vault.unlock()
        let other = vault.container.newContext()
        let back = try other.existingObject(with: object.objectID)
        #expect(try back.value(forKey: "password") == "two")
    }

    @Test func changesOfTwoContextsMeetWithoutAKey() throws {
        let vault = try Vault()
        let object = try vault.add("bank", "one")
        try vault.context.save()
        let other = vault.container.newContext()
        other.mergePolicy = .mergeByPropertyObjectTrump
        vault.context.mergePolicy = .mergeByPropertyObjectTrump
        let theirs = try other.existingObject(with: object.objectID)
        try theirs.setValue("two", forKey: "password")
        try other.save()
        vault.ring.lock()
        try object.setValue("renamed", forKey: "name")
        try vault.context.save()
        try vault.unlock()
        let third = vault.container.newContext()
        let last = try third.existingObject(with: object.objectID)
        #expect(try last.value(forKey: "password") == "two")
        #expect(try last.value(forKey: "name") == "renamed")
    }

    @Test func conflictOnTheValueIsReported() throws {
        let vault = try Vault()
        let object = try vault.add("bank", "one")
        try vault.context.save()
        let other = vault.container.newContext()
        let theirs = try other.existingObject(with: object.objectID)
        try object.setValue("mine", forKey: "password")
        try theirs.setValue("canary-theirs", forKey: "password")
        try other.save()
        let error = #expect(throws: ObjectGraphError.self) { try vault.context.save() }
        #expect(error?.code == .mergeConflict)
        #expect(!String(reflecting: error as Any).contains("canary"))
    }

    @Test func childContextPassesTheValueOn() throws {
        let vault = try Vault()
        let object = try vault.add("bank", "one")
        try vault.context.save()
        let child = ManagedObjectContext(parent: vault.context)
        let copy = try child.existingObject(with: object.objectID)
        #expect(try copy.value(forKey: "password") == "one")
        try copy.setValue("two", forKey: "password")
        try child.save()
        try vault.context.save()
        #expect(try object.value(forKey: "password") == "two")
    }

    // MARK: Requests

    @Test func comparisonIsEvaluatedWhileUnlockedAndThrowsWhileLocked() throws {
        let vault = try Vault()
        for (name, password) in [("a", "one"), ("b", "two"), ("c", "three")] {
            try vault.add(name, .string(password))
        }
        try vault.context.save()
        var request = FetchRequest<ManagedObject>(entityName: "Credential")
        request.predicate = try FetchPredicate(format: "password CONTAINS 't'")
        let other = vault.container.newContext()
        let found = try other.fetch(request).map { try $0.value(forKey: "name") }
        #expect(Set(found) == ["b", "c"])
        vault.ring.lock()
        for context in [vault.context, other, vault.container.newContext()] {
            let error = #expect(throws: ObjectGraphError.self) { try context.fetch(request) }
            #expect(error?.code == .valuesLocked)
        }
        // What needs no value needs no key.
        request.predicate = try FetchPredicate(format: "name == 'b' AND password != nil")
        #expect(try vault.container.newContext().fetch(request).count == 1)
    }

    @Test func dictionariesHaveValuesOrAnError() throws {
        let vault = try Vault()
        try vault.add("a", "one")
        try vault.context.save()
        var request = FetchRequest<[String: GraphValue]>(entityName: "Credential")
        request.propertiesToFetch = [.init("name"), .init("password")]
        #expect(try vault.context.fetch(request) == [["name": "a", "password": "one"]])
        vault.ring.lock()
        let error = #expect(throws: ObjectGraphError.self) { try vault.context.fetch(request) }
        #expect(error?.code == .valuesLocked)
    }

    @Test func sortingByTheValueNeedsTheKey() throws {
        let vault = try Vault()
        for text in ["b", "c", "a"] { try vault.add("n", .string(text)) }
        try vault.context.save()
        var request = FetchRequest<ManagedObject>(entityName: "Credential")
        request.sortDescriptors = [FetchSortDescriptor("password")]
        let other = vault.container.newContext()
        #expect(
            try other.fetch(request).map { try $0.value(forKey: "password") } == ["a", "b", "c"]
        )
        vault.ring.lock()
        let error = #expect(throws: ObjectGraphError.self) {
            try vault.container.newContext().fetch(request)
        }
        #expect(error?.code == .valuesLocked)
    }

    @Test func batchRequestsEncrypt() throws {
        let vault = try Vault()
        try vault.context.execute(
            BatchInsert(
                entityName: "Credential",
                objects: [["name": "a", "password": "canary-one"]]
            )
        )
        var update = BatchUpdate(entityName: "Credential")
        update.values = ["password": .constant("canary-two")]
        try vault.context.execute(update)
        let request = FetchRequest<ManagedObject>(entityName: "Credential")
        let other = vault.container.newContext()
        let object = try #require(try other.fetch(request).first)
        #expect(try object.value(forKey: "password") == "canary-two")
        #expect(try !vault.files().contains("canary"))
    }

    // MARK: Models

    @Test(arguments: ["searched", "indexed", "unique", "derived"])
    func modelThatWouldShowTheValueIsRefused(_ flaw: String) throws {
        let error = #expect(throws: ObjectGraphError.self) {
            try Vault { entity in
                guard
                    let attribute = entity.ownProperties.first(where: { $0.name == "password" })
                        as? AttributeDescription
                else { return }
                switch flaw {
                case "searched": attribute.isSearched = true
                case "indexed": attribute.isIndexed = true
                case "unique": entity.uniquenessConstraints = [["password"]]
                default:
                    let derived = AttributeDescription("copy", .string)
                    derived.derivation = "password"
                    entity.add(derived)
                }
            }
        }
        #expect(error?.code == .invalidModel)
        #expect("\(error as Any)".contains("password"))
    }
}

extension Data {
    func contains(_ text: String) -> Bool { firstRange(of: Data(text.utf8)) != nil }
}
