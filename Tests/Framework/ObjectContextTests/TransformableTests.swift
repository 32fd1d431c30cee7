import CompilerAtHand
import Foundation
import ObjectGraph
import Testing

/// Transformable attributes at a save.
@Suite("Transformable attributes")
struct TransformableTests {
    private final class Sketch {}

    /// An object that is equal to another one of the same content.
    private final class Shade: Hashable {
        let value: UInt8

        init(_ value: UInt8) { self.value = value }

        static func == (left: Shade, right: Shade) -> Bool { left.value == right.value }

        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    private struct ShadeTransformer: ValueTransformer {
        func data(for value: GraphValue) throws -> Data {
            guard case .opaque(let shade as Shade) = value else {
                throw ObjectGraphError(.wrongValueKind, "This is not a shade.")
            }
            return Data([shade.value])
        }

        func value(for data: Data) throws -> GraphValue { .opaque(Shade(data.first ?? 0)) }
    }

    private func makeContainer(transformer: String?) throws -> PersistentContainer {
        let sketch = AttributeDescription("sketch", .transformable)
        sketch.valueTransformerName = transformer
        let model = ManagedObjectModel([EntityDescription("Page", [sketch])])
        return try PersistentContainer(model: model, options: .inMemory)
    }

    private struct Refusing: ValueTransformer {
        func data(for value: GraphValue) throws -> Data {
            throw ObjectGraphError(.wrongValueKind, "Nothing pleases it.")
        }

        func value(for data: Data) throws -> GraphValue { .null }
    }

    @Test(arguments: [nil, "TransformableTests.Refusing"])
    func valueThatItsTransformerRefusesFailsTheSave(_ transformer: String?) throws {
        ValueTransformers.register(Refusing(), as: "TransformableTests.Refusing")
        let context = try makeContainer(transformer: transformer).viewContext
        let page = try context.insert(entityNamed: "Page")
        try page.setValue(.opaque(Sketch()), forKey: "sketch")
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.code == .unsupported)
        #expect(error?.key == "sketch")
        #expect(error?.objectIDs == [page.objectID])
        #expect(page.isInserted)
    }

    @Test func batchInsertOfSuchAValueFails() throws {
        let context = try makeContainer(transformer: nil).viewContext
        let request = BatchInsert(entityName: "Page", objects: [["sketch": .opaque(Sketch())]])
        let error = #expect(throws: ObjectGraphError.self) { try context.execute(request) }
        #expect(error?.code == .unsupported)
    }

    @Test func valueThatDidNotChangeIsNotAskedAbout() throws {
        let context = try makeContainer(transformer: nil).viewContext
        let page = try context.insert(entityNamed: "Page")
        try page.setValue(["a", 1], forKey: "sketch")
        try context.save()
        #expect(try page.value(forKey: "sketch") == ["a", 1])
        try page.setValue(nil, forKey: "sketch")
        try context.save()
        #expect(try page.value(forKey: "sketch") == nil)
    }

    private final class Wall: ManagedObject {
        @Transformable(transformer: "TransformableTests.Shade") var shade: Shade? = Shade(7)
        @Transformable(transformer: "TransformableTests.Shade") var other: Shade?
    }

    @Test(arguments: [StoreType.inMemory, .sqlite])
    func everyObjectBeginsWithADefaultOfItsOwn(_ type: StoreType) throws {
        ValueTransformers.register(ShadeTransformer(), as: "TransformableTests.Shade")
        let folder = try ScratchFolder("TransformableTests")
        var options = StoreOptions()
        options.type = type
        let url = folder.url.appending(path: "a.sqlite")
        let container = try PersistentContainer(for: Wall.self, url: url, options: options)
        let context = container.viewContext
        let (one, two) = (context.insert(Wall.self), context.insert(Wall.self))
        #expect(one.shade == Shade(7) && one.shade !== two.shade && one.other == nil)
        two.shade = nil
        two.other = Shade(9)
        try context.save()
        context.refreshAllObjects()
        #expect(one.shade == Shade(7) && two.shade == nil && two.other == Shade(9))
        let entity = try #require(context.coordinator.model.entity(of: Wall.self))
        let shade = entity.property(named: "shade") as? AttributeDescription
        #expect(shade?.defaultValue == .null)
    }

    @Test func equalValueIsNoChange() throws {
        ValueTransformers.register(ShadeTransformer(), as: "TransformableTests.Shade")
        let context = try makeContainer(transformer: "TransformableTests.Shade").viewContext
        let page = try context.insert(entityNamed: "Page")
        try page.setValue(.opaque(Shade(1)), forKey: "sketch")
        try context.save()
        try page.setValue(.opaque(Shade(1)), forKey: "sketch")
        context.processPendingChanges()
        #expect(page.changedValues().isEmpty)
        #expect(!context.hasChanges)
        try page.setValue(.opaque(Shade(2)), forKey: "sketch")
        #expect(context.hasChanges)
        #expect(Set([GraphValue.opaque(Shade(3)), .opaque(Shade(3))]).count == 1)
        #expect(GraphValue.opaque(Sketch()) != .opaque(Sketch()))
    }

    /// Reads nothing that it has written.
    private struct WriteOnly: ValueTransformer {
        let showsUnreadableData: Bool

        func data(for value: GraphValue) throws -> Data { Data([7, 7]) }

        func value(for data: Data) throws -> GraphValue {
            throw ObjectGraphError(.damagedFile, "It reads nothing.")
        }
    }

    private func reopened(_ container: PersistentContainer) throws -> ManagedObject {
        let page = try container.viewContext.insert(entityNamed: "Page")
        try page.setValue("text", forKey: "sketch")
        try container.viewContext.save()
        container.viewContext.refresh(page, mergeChanges: false)
        return page
    }

    @Test func dataThatItsTransformerCannotReadIsAnErrorAndStays() throws {
        let name = "TransformableTests.WriteOnly"
        ValueTransformers.register(WriteOnly(showsUnreadableData: false), as: name)
        let container = try makeContainer(transformer: name)
        let page = try reopened(container)
        for _ in 0..<2 {
            let error = #expect(throws: ObjectGraphError.self) { try page.value(forKey: "sketch") }
            #expect(error?.code == .unreadableValue)
            #expect(error?.key == "sketch")
            #expect(page.object(at: 0, as: Sketch.self) == nil)
            #expect(container.viewContext.lastFaultError != nil)
        }
        ValueTransformers.register(ShadeTransformer(), as: name)
        #expect(try page.value(forKey: "sketch") == .opaque(Shade(7)))
    }

    @Test func oneWayTransformerShowsItsData() throws {
        let name = "TransformableTests.OneWay"
        ValueTransformers.register(WriteOnly(showsUnreadableData: true), as: name)
        let container = try makeContainer(transformer: name)
        let page = try reopened(container)
        #expect(try page.value(forKey: "sketch") == .data(Data([7, 7])))
    }
}
