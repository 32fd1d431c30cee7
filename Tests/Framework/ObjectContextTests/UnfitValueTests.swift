import ObjectGraph
import Testing

/// Values that an attribute does not take: setting works, validation says what is wrong.
@Suite("Setting what does not fit")
struct UnfitValueTests {
    /// As `modelgen` makes them: accessors by slot.
    private final class Generated: ManagedObject {
        var code: Int64 {
            get { integer(at: 0) }
            set { setInteger(newValue, at: 0) }
        }
        @Managed("place") var place: Point?
    }

    private final class Written: ManagedObject {
        @Managed("code") var code: Int
        @Managed("count") var count: Int32
        @Managed("size") var size: Int?
        @Managed("place") var place: [String: GraphValue]?
        @Managed("name") var name: String?
        @Managed("next") var next: Written?
    }

    private struct Point: AttributeValue {
        static var attributeType: AttributeType { .composite }
        var entries: [String: GraphValue]

        init(_ entries: [String: GraphValue]) { self.entries = entries }

        init?(value: GraphValue) {
            guard case .dictionary(let entries) = value else { return nil }
            self.entries = entries
        }

        var value: GraphValue { .dictionary(entries) }
    }

    private func makeContext(
        _ type: ManagedObject.Type = ManagedObject.self
    ) throws
        -> ManagedObjectContext
    {
        let place = AttributeDescription("place", .composite)
        place.compositeName = "Place"
        let size = AttributeDescription("size", .integer64, optional: false, default: 1)
        size.usesScalarType = true
        let count = AttributeDescription("count", .integer32)
        count.rules = [.maximum(1000)]
        let model = ManagedObjectModel([
            EntityDescription(
                "Thing",
                [
                    AttributeDescription("code", .integer16), count,
                    AttributeDescription("name", .string), place, size,
                    RelationshipDescription("next", to: "Thing"),
                    RelationshipDescription("others", to: "Thing", toMany: true),
                ]
            )
        ])
        model.composites = [
            "Place": [AttributeDescription("zone", .integer16), AttributeDescription("x", .double)]
        ]
        var options = StoreOptions()
        options.type = .inMemory
        return try PersistentContainer(
            model: model,
            classes: type == ManagedObject.self ? [:] : ["Thing": type],
            options: options
        ).viewContext
    }

    /// What a save says, as `code: sentence`.
    private func complaint(_ context: ManagedObjectContext) -> String {
        let error = failure { try context.save() }
        return error.map { "\($0.code.rawValue): \($0.message)" } ?? "saved"
    }

    @Test func handWrittenSetterTakesAnyNumberAndTheSaveNamesTheRange() throws {
        let context = try makeContext(Written.self)
        let thing = context.insert(Written.self)
        thing.code = 100_000
        #expect(thing.code == 100_000)
        #expect(complaint(context) == "1610: Thing.code has to be at most 32767, as an Integer 16.")
        thing.code = -40_000
        #expect(
            complaint(context) == "1620: Thing.code has to be at least -32768, as an Integer 16."
        )
        thing.code = 7
        #expect(complaint(context) == "saved")
    }

    @Test func generatedSetterTakesAnyNumberAndTheSaveNamesTheRange() throws {
        let context = try makeContext(Generated.self)
        let thing = context.insert(Generated.self)
        thing.code = 100_000
        #expect(thing.code == 100_000)
        let error = failure { try context.save() }
        #expect(error?.rule == .maximum(32767) && error?.value == 100_000)
        #expect(error?.message == "Thing.code has to be at most 32767, as an Integer 16.")
    }

    @Test func settingByKeyTakesAnyNumberAndTheSaveNamesTheRange() throws {
        let context = try makeContext()
        let thing = try context.insert(entityNamed: "Thing")
        try thing.setValue(100_000, forKey: "code")
        #expect(try thing.value(forKey: "code") == 100_000)
        #expect(complaint(context) == "1610: Thing.code has to be at most 32767, as an Integer 16.")
        // A bound of the model is narrower than the type's.
        try thing.setValue(1, forKey: "code")
        try thing.setValue(.int(1 << 40), forKey: "count")
        #expect(complaint(context) == "1610: Thing.count has to be at most 1000.")
    }

    @Test func elementOfACompositeIsJudgedByItsOwnRange() throws {
        let context = try makeContext(Generated.self)
        let thing = context.insert(Generated.self)
        thing.place = Point(["zone": 100_000, "x": 2.5])
        #expect(thing.place?.entries == ["zone": 100_000, "x": 2.5])
        #expect(
            complaint(context)
                == "1610: Thing.place.zone has to be at most 32767, as an Integer 16."
        )
    }

    @Test func compositeOfAnotherShapeIsKeptAndRefusedByTheSave() throws {
        let context = try makeContext(Written.self)
        let thing = context.insert(Written.self)
        thing.place = ["zone": 3, "typo": 1]
        #expect(thing.place == ["zone": 3, "typo": 1])
        let error = failure { try context.save() }
        #expect(error?.code == .undefinedKey && error?.objectIDs == [thing.objectID])
        #expect(error?.message == "Thing.place has no element \"typo\".")
        thing.place = ["zone": 3]
        #expect(thing.place == ["zone": 3])
        #expect(complaint(context) == "saved")
        context.refreshAllObjects()
        #expect(thing.place == ["zone": 3])
    }

    @Test func noValueInARequiredScalarIsRefusedByTheSave() throws {
        let context = try makeContext(Written.self)
        let thing = context.insert(Written.self)
        thing.size = nil
        #expect(thing.size == nil)
        #expect(complaint(context) == "1570: Thing.size needs a value.")
    }

    @Test func typeThatCannotHoldTheValueReadsAsWithoutOneAndTheContextKeepsTheError() throws {
        let context = try makeContext(Written.self)
        let thing = context.insert(Written.self)
        try thing.setValue(.int(1 << 40 | 5), forKey: "count")
        #expect(thing.count == 0)
        let error = context.lastFaultError as? ObjectGraphError
        #expect(error?.message == "Thing.count has to be at most 2147483647, as an Int32.")
        #expect(try thing.value(forKey: "count") == .int(1 << 40 | 5))
    }

    @Test func refusedValueIsTakenBackByUndo() throws {
        let context = try makeContext(Written.self)
        context.undoManager = UndoManager()
        let thing = context.insert(Written.self)
        thing.place = ["zone": 1]
        try context.save()
        context.undoManager?.removeAllActions()
        thing.place = ["typo": 1]
        thing.code = 70_000
        try context.undo()
        #expect(thing.place == ["zone": 1] && thing.code == 0)
        #expect(!context.hasChanges)
    }

    @Test func batchRequestKeepsTheRangeToo() throws {
        let context = try makeContext()
        let insert = BatchInsert(entityName: "Thing", objects: [["code": 100_000]])
        let refused = failure { try context.execute(insert) }
        #expect(refused?.code == .numberTooLarge && refused?.key == "code")
        try context.execute(BatchInsert(entityName: "Thing", objects: [["code": 1]]))
        var update = BatchUpdate(entityName: "Thing")
        update.values = ["code": .constant(-100_000)]
        #expect(failure { try context.execute(update) }?.code == .numberTooSmall)
        #expect(try context.stored("Thing", "code") == [1])
    }

    @Test func objectOfAnotherContextIsRefusedByKey() throws {
        let context = try makeContext()
        let thing = try context.insert(entityNamed: "Thing")
        let other = context.sibling()
        let foreign = try other.insert(entityNamed: "Thing")
        for (key, value) in [
            ("next", GraphValue.object(foreign)), ("others", .set([.object(foreign)])),
        ] {
            let error = failure { try thing.setValue(value, forKey: key) }
            #expect(error?.code == .invalidRequest && error?.key == key)
            #expect(error?.message.contains("Thing.\(key): <Thing") == true)
        }
        let proxy = try thing.mutableSetValue(forKey: "others")
        #expect(failure { try proxy.insert(.object(foreign)) }?.code == .invalidRequest)
        #expect(try thing.value(forKey: "others") == .set([]))
    }

    @Test func severalMembersAreNotSetFromOneValue() throws {
        let context = try makeContext()
        let thing = try context.insert(entityNamed: "Thing")
        try thing.setValue(.set([.object(thing)]), forKey: "others")
        let error = failure { try thing.setValue("typo", forKey: "others") }
        #expect(error?.code == .wrongValueKind && error?.key == "others")
        #expect(error?.message == "Thing.others takes several Thing objects, not a string.")
        #expect(try thing.value(forKey: "others") == .set([.object(thing)]))
    }

    @Test func objectWithoutContextTakesNoDestination() throws {
        let context = try makeContext(Written.self)
        let thing = context.insert(Written.self)
        let other = context.insert(Written.self)
        try context.save()
        context.delete(thing)
        try context.save()
        thing.next = other
        thing.code = 100_000
        #expect(thing.next == nil)
        #expect(!context.hasChanges)
    }
}
