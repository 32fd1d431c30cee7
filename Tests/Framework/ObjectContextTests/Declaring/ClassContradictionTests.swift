import FoundationEssentials
import ObjectGraph
import Testing

/// Classes that contradict themselves, each other or a model: one error at opening lists everything.
@Suite struct ClassContradictionTests {
    private func refusal(_ classes: ManagedObject.Type...) -> [Substring] {
        do {
            _ = try ManagedObjectModel(for: classes)
            return []
        } catch {
            guard let error = error as? ObjectGraphError, error.code == .invalidModel else {
                return ["\(error)"]
            }
            return error.message.split(separator: "\n")
        }
    }

    private final class Twice: ManagedObject {
        @Managed("name") var name: String
        @Managed("name") var title: String
    }

    @Test func propertyDeclaredTwiceIsRefused() {
        let lines = refusal(Twice.self)
        #expect(lines.count == 1 && lines[0].contains("Twice.name: the property is declared twice"))
    }

    private class Animal: ManagedObject { @Managed var name: String }
    private final class Dog: Animal {
        @Managed("name") var call: String
    }

    @Test func propertyOfAParentDeclaredOnceMoreIsRefused() {
        let lines = refusal(Dog.self)
        #expect(lines.contains { $0.contains("Dog.name: the property is declared twice") })
    }

    private final class Left: ManagedObject {
        @Managed(inverse: { $0.left }) var right: Right?
        @Managed(inverse: { $0.left }) var second: Right?
        @Managed(inverse: { $0.name }) var third: Right?
        @Managed(inverse: { $0.shout }) var fourth: Right?
    }
    private final class Right: ManagedObject {
        @Managed var name: String
        @Managed(inverse: { $0.second }) var left: Left?
        var shout: String { name + "!" }
    }

    @Test func inverseThatDoesNotPointBackIsRefusedAndSoAreAllOthers() {
        let lines = refusal(Left.self, Right.self)
        #expect(
            lines.contains { $0.contains("Left.right: its inverse is Right.left, whose inverse") }
        )
        #expect(
            lines.contains { $0.contains("Left.third: its inverse is not a relationship") }
        )
        #expect(lines.count >= 3, "\(lines)")
    }

    private final class Orphan: ManagedObject {
        @Managed(inverse: { $0.books }) var author: Author?
    }

    @Test func inverseThatLeadsToAnotherClassIsRefused() {
        let lines = refusal(Orphan.self)
        #expect(
            lines.contains { $0.contains("Orphan.author: its inverse Author.books leads to Book") }
        )
    }

    private final class Clone: ManagedObject {
        override class var entityName: String { "Topic" }
    }

    @Test func twoClassesOfOneEntityAreRefused() {
        let lines = refusal(Topic.self, Clone.self)
        #expect(lines.contains { $0.contains("its entity \"Topic\" is that of the class") })
        let error = #expect(throws: ObjectGraphError.self) {
            try PersistentContainer(
                model: ManagedObjectModel([EntityDescription("Topic")]),
                classes: [Topic.self, Clone.self],
                options: .inMemory
            )
        }
        #expect(error?.message.contains("both stand for the entity \"Topic\"") == true)
    }

    private enum Weekday: Int, AttributeValue {
        case monday = 1
        case tuesday
    }
    private final class Shift: ManagedObject { @Managed var day: Weekday }

    @Test func typeThatCannotBeEmptyNeedsADefault() {
        let lines = refusal(Shift.self)
        #expect(lines.count == 1 && lines[0].contains("Shift.day: a Weekday cannot be empty"))
    }

    private final class Odd: ManagedObject {
        @Managed(maxCount: 1) var others: Set<Odd>
        @Managed(derived: .copy(\Topic.name)) var name: String?
        @Managed(transient: true, derived: .count(\Odd.others)) var size: Int

        override class var entityOptions: EntityOptions {
            EntityOptions(of: Odd.self, unique: [[\.nick]])
        }

        var nick: String { name ?? "" }
    }

    @Test func impossibleArgumentsAreRefusedTogether() {
        let lines = refusal(Odd.self)
        #expect(lines.contains { $0.contains("Odd.others: it cannot have 0 to 1 members") })
        #expect(lines.contains { $0.contains("Odd.name: it is derived from") })
        #expect(lines.contains { $0.contains("Odd.size: a save computes") })
        #expect(lines.contains { $0.contains("Odd: its entityOptions name") }, "\(lines)")
    }

    // MARK: A class and a model

    private final class Novel: ManagedObject {
        @Managed var title: Int
        @Managed var pages: Int = 3
        @Managed var writer: Topic?
        @Managed var sequels: [Novel]
        @Managed var missing: String?
        @Managed(unique: true) var code: String?
        @Managed(transient: true) var mark: String?
    }

    @Test func everyContradictionToTheModelIsListed() throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "Novel",
                [
                    AttributeDescription("title", .string),
                    AttributeDescription("pages", .integer32, default: 5),
                    RelationshipDescription("writer", to: "Novel", toMany: true),
                    RelationshipDescription("sequels", to: "Novel", toMany: true),
                    AttributeDescription("code", .string),
                    AttributeDescription("mark", .string),
                ]
            )
        ])
        let error = #expect(throws: ObjectGraphError.self) {
            try PersistentContainer(model: model, classes: [Novel.self], options: .inMemory)
        }
        let message = error?.message ?? ""
        #expect(error?.code == .invalidModel)
        for part in [
            "Novel.title: its type Int is that of an Integer 64 attribute, and the model has a String",
            "Novel.pages: its default is not the model's",
            "Novel.writer: it is declared as a to-one relationship, and the model has a to-many one",
            "Novel.sequels: it is declared as an ordered relationship",
            "Novel.missing: the entity Novel has no such property",
            "Novel.code: it is declared as unique",
            "Novel.mark: it is declared as transient",
        ] {
            #expect(message.contains(part), "\(message)")
        }
    }
}
