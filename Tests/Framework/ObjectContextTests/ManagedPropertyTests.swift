import Foundation
import ObjectGraph
import Testing

/// Properties of classes that are written by hand.
@Suite("Managed properties")
struct ManagedPropertyTests {
    private enum Rating: Int, AttributeValue { case poor, good }

    private final class Writer: ManagedObject {
        @Managed("name") var name: String
        @Managed("novels") var novels: Set<Novel>
    }

    private final class Novel: ManagedObject {
        @Managed("title") var title: String
        @Managed("year") var year: Int?
        @Managed("price") var price: Decimal
        @Managed("isRead") var isRead: Bool
        @Managed("published") var published: Date
        @Managed("rating") var rating: Rating
        @Managed("writer") var writer: Writer?
        @Managed("sequels") var sequels: [Novel]
        @Transformable("cover") var cover: Cover?
    }

    private final class Cover {
        let color: UInt8

        init(color: UInt8) { self.color = color }
    }

    private struct CoverTransformer: ValueTransformer {
        func data(for value: GraphValue) throws -> Data {
            guard case .opaque(let cover as Cover) = value else { return Data() }
            return Data([cover.color])
        }

        func value(for data: Data) throws -> GraphValue {
            data.first.map { .opaque(Cover(color: $0)) } ?? .null
        }
    }

    private func makeContext() throws -> ManagedObjectContext {
        ValueTransformers.register(CoverTransformer(), as: "ManagedPropertyTests.Cover")
        let cover = AttributeDescription("cover", .transformable)
        cover.valueTransformerName = "ManagedPropertyTests.Cover"
        let model = ManagedObjectModel([
            EntityDescription(
                "Writer",
                [
                    AttributeDescription("name", .string),
                    RelationshipDescription("novels", to: "Novel", inverse: "writer", toMany: true),
                ]
            ),
            EntityDescription(
                "Novel",
                [
                    AttributeDescription("title", .string),
                    AttributeDescription("year", .integer32),
                    AttributeDescription("price", .decimal),
                    AttributeDescription("isRead", .boolean),
                    AttributeDescription("published", .date),
                    AttributeDescription("rating", .integer16), cover,
                    RelationshipDescription("writer", to: "Writer", inverse: "novels"),
                    RelationshipDescription("sequels", to: "Novel", toMany: true, ordered: true),
                ]
            ),
        ])
        var options = StoreOptions()
        options.type = .inMemory
        return try PersistentContainer(
            model: model,
            classes: ["Writer": Writer.self, "Novel": Novel.self],
            options: options
        ).viewContext
    }

    @Test func valuesComeBackAsTheyWereSet() throws {
        let context = try makeContext()
        let novel = context.insert(Novel.self)
        novel.title = "Emma"
        novel.year = 1815
        novel.price = 9.5
        novel.isRead = true
        novel.rating = .good
        novel.cover = Cover(color: 7)
        try context.save()
        context.refresh(novel, mergeChanges: false)
        #expect(novel.title == "Emma")
        #expect(novel.year == 1815)
        #expect(novel.price == 9.5)
        #expect(novel.isRead)
        #expect(novel.rating == .good)
        #expect(novel.cover?.color == 7)
    }

    @Test func requiredTypesReadAsEmptyWithoutAValue() throws {
        let novel = try makeContext().insert(Novel.self)
        #expect(novel.title == "")
        #expect(novel.year == nil)
        #expect(novel.price == 0)
        #expect(!novel.isRead)
        #expect(novel.published == Date(timeIntervalSinceReferenceDate: 0))
        #expect(novel.rating == .poor)
    }

    @Test func relationshipsKeepBothSidesInStep() throws {
        let context = try makeContext()
        let writer = context.insert(Writer.self)
        let first = context.insert(Novel.self)
        let second = context.insert(Novel.self)
        first.writer = writer
        #expect(writer.novels == [first])
        writer.novels = [second]
        #expect(first.writer == nil)
        #expect(second.writer === writer)
        first.sequels = [second, first]
        #expect(first.sequels == [second, first])
    }

    @Test func settingIsAChangeThatUndoTakesBack() throws {
        let context = try makeContext()
        context.undoManager = UndoManager()
        let novel = context.insert(Novel.self)
        try context.save()
        context.undoManager?.removeAllActions()
        novel.year = 1811
        #expect(context.updatedObjects == [novel])
        try context.undo()
        #expect(novel.year == nil)
        #expect(!context.hasChanges)
    }

    @Test func objectsByIdentityAreOfTheClassAskedFor() throws {
        let context = try makeContext()
        let novel = context.insert(Novel.self)
        try context.save()
        let id = novel.objectID
        #expect(try context.existingObject(with: id, as: Novel.self) === novel)
        #expect(context.object(with: id, as: Novel.self) === novel)
        #expect(context.object(with: id, as: Writer.self) == nil)
        let error = #expect(throws: ObjectGraphError.self) {
            try context.existingObject(with: id, as: Writer.self)
        }
        #expect(error?.code == .invalidRequest)
        context.delete(novel)
        try context.save()
        let gone = #expect(throws: ObjectGraphError.self) {
            try context.existingObject(with: id, as: Novel.self)
        }
        #expect(gone?.code == .referentialIntegrity)
    }

    @Test func keyPathsAreForConditionsToo() throws {
        let context = try makeContext()
        for name in ["Jane", "Mary"] { context.insert(Writer.self).name = name }
        let found = try Writer.all(in: context, where: \.name == "Mary")
        #expect(found.map(\.name) == ["Mary"])
    }
}
