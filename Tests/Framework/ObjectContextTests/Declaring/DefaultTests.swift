import CompilerAtHand
import FoundationEssentials
import ObjectGraph
import Synchronization
import Testing

/// A default is made for each object, once, whatever way the object comes into being.
@Suite struct DefaultTests {
    /// Counts how often a default is made.
    private static let made = Mutex(0)

    private static func next() -> Int {
        made.withLock {
            $0 += 1
            return $0
        }
    }

    private struct Stamp: CompositeValue, Hashable {
        var date: Date?
        var mark: UUID?

        static let elements: [CompositeElement<Stamp>] = [
            .init("date", \.date), .init("mark", \.mark),
        ]
    }

    private class Animal: ManagedObject {
        @Managed var id = UUID()
        @Managed var born: Date = Date()
        @Managed var number: Int = DefaultTests.next()
        @Managed var legs: Int = 4
        @Managed var stamp: Stamp? = Stamp(date: nil, mark: UUID())
        @Managed(transient: true) var token = UUID()
        @Managed var name: String = "?"
        @Managed var nick: String? = nil
    }

    private class Bird: Animal {
        override class var entityOptions: EntityOptions {
            EntityOptions(of: Bird.self, defaults: [.init(\.legs, 2), .init(\.name, "bird")])
        }
    }
    private final class Parrot: Bird {
        override class var entityOptions: EntityOptions {
            EntityOptions(
                of: Parrot.self,
                defaults: [.init(\.name, "parrot \(DefaultTests.next())")]
            )
        }
    }

    private func container() throws -> PersistentContainer {
        try PersistentContainer(for: Animal.self, Parrot.self, options: .inMemory)
    }

    @Test func everyInsertedObjectHasADefaultOfItsOwn() throws {
        let context = try container().viewContext
        let before = Date()
        let animals = try (0..<20).map { number in
            switch number % 3 {
            case 0: context.insert(Animal.self)
            case 1: Animal(context: context)
            default: try #require(try context.insert(entityNamed: "Animal") as? Animal)
            }
        }
        #expect(Set(animals.map(\.id)).count == 20)
        #expect(Set(animals.compactMap(\.stamp?.mark)).count == 20)
        #expect(Set(animals.map(\.token)).count == 20)
        #expect(animals.allSatisfy { $0.born >= before && $0.legs == 4 && $0.nick == nil })
        let numbers = animals.map(\.number)
        // Other tests take numbers at the same time.
        #expect(Set(numbers).count == 20 && numbers == numbers.sorted())
        let (id, number) = (animals[0].id, animals[0].number)
        try context.save()
        context.refreshAllObjects()
        #expect(animals[0].id == id && animals[0].number == number)
    }

    @Test func defaultOfASubclassDiffersFromThatOfItsParent() throws {
        let context = try container().viewContext
        let (animal, bird) = (Animal(context: context), Bird(context: context))
        let parrots = [Parrot(context: context), Parrot(context: context)]
        #expect(animal.legs == 4 && bird.legs == 2 && parrots[0].legs == 2)
        #expect(animal.name == "?" && bird.name == "bird")
        #expect(parrots[0].name.hasPrefix("parrot ") && parrots[0].name != parrots[1].name)
        let model = try ManagedObjectModel(for: Parrot.self)
        try model.freeze()
        let copy = try ModelArchive(model).model()
        #expect(copy.differences(from: model) == [])
        #expect(copy.entity(named: "Bird")?.inheritedDefaults["legs"]?.value == 2)
    }

    private final class Fish: Animal {
        @Managed var fins: Int = 2

        override class var entityOptions: EntityOptions {
            EntityOptions(of: Fish.self, defaults: [.init(\.fins, 3)])
        }
    }

    @Test func defaultOfAnAttributeThatIsNotInheritedIsRefused() {
        let error = #expect(throws: ObjectGraphError.self) {
            try ManagedObjectModel(for: Fish.self)
        }
        #expect(error?.message.contains("Fish: its entityOptions give a default for") == true)
    }

    @Test func modelHasConstantsAndNothingThatDiffers() throws {
        let model = try ManagedObjectModel(for: Animal.self)
        let animal = try #require(model.entity(named: "Animal"))
        func value(_ name: String) -> GraphValue? {
            (animal.property(named: name) as? AttributeDescription)?.defaultValue
        }
        #expect(value("legs") == 4 && value("name") == "?")
        for name in ["id", "born", "number", "stamp", "token", "nick"] {
            #expect(value(name) == .null, "\(name)")
        }
    }

    @Test func batchInsertMakesDefaults() throws {
        let context = try container().viewContext
        let given = UUID()
        try context.execute(
            BatchInsert(of: Bird.self, objects: [["id": .uuid(given)], [:], [:]])
        )
        let birds = try Bird.all(in: context, sortedBy: \.number)
        #expect(birds.count == 3 && Set(birds.map(\.id)).count == 3)
        #expect(birds.contains { $0.id == given } && birds.allSatisfy { $0.legs == 2 })
        #expect(Set(birds.map(\.number)).count == 3)
    }

    @Test func childContextsUndoAndRedoKeepWhatWasMade() throws {
        let container = try container()
        let context = container.viewContext
        context.undoManager = UndoManager()
        let child = ManagedObjectContext(parent: context)
        let made = Animal(context: child)
        let (id, number) = (made.id, made.number)
        try child.save()
        let animal = try #require(try Animal.first(in: context))
        #expect(animal.id == id && animal.number == number)
        try context.undo()
        #expect(try Animal.count(in: context) == 0)
        try context.redo()
        #expect(try Animal.first(in: context)?.id == id)
        try context.save()
        let other = container.newContext()
        #expect(try Animal.first(in: other)?.id == id)
        #expect(animal.number == number)
    }

    @Test func undoOfASavedDeletionRestoresWhatWasMade() throws {
        let folder = try ScratchFolder("DefaultTests")
        let container = try PersistentContainer(
            for: Animal.self,
            url: folder.url.appending(path: "a.sqlite")
        )
        let context = container.viewContext
        let animal = Animal(context: context)
        let (id, number) = (animal.id, animal.number)
        try context.save(as: "Insert")
        context.delete(animal)
        try context.save(as: "Delete")
        _ = try context.undoLastCommand()
        let back = try #require(try Animal.first(in: context))
        #expect(back.id == id && back.number == number)
    }

    // MARK: Upserts

    private final class Member: ManagedObject {
        @Managed(unique: true) var email: String
        @Managed var id = UUID()
        @Managed var joined: Date = Date()
        @Managed var stamp: Stamp? = Stamp(date: nil, mark: UUID())
        @Managed var visits: Int = 1
    }

    /// How the second object with the same unique value comes into being.
    private enum Upsert: CaseIterable { case object, child, batch }

    @Test(arguments: [StoreType.inMemory, .sqlite])
    func madeDefaultOverwritesNothingInAnUpsert(_ type: StoreType) throws {
        let folder = try ScratchFolder("DefaultTests")
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(
            for: Member.self,
            url: folder.url.appending(path: "a.sqlite"),
            options: options
        )
        let stored = Member(context: container.viewContext)
        stored.email = "ana@x"
        stored.joined = Date(timeIntervalSinceReferenceDate: 0)
        try container.viewContext.save()
        let (id, mark) = (stored.id, stored.stamp?.mark)
        for (number, upsert) in Upsert.allCases.enumerated() {
            let context = container.newContext()
            context.mergePolicy = .mergeByPropertyObjectTrump
            let given: UUID? = number == 2 ? UUID() : nil
            func fill(_ context: ManagedObjectContext) {
                let member = Member(context: context)
                member.email = "ana@x"
                member.visits = number + 5
                if let given { member.id = given }
            }
            switch upsert {
            case .object: fill(context)
            case .child:
                let child = ManagedObjectContext(parent: context)
                fill(child)
                try child.save()
            case .batch:
                var values: [String: GraphValue] = [
                    "email": "ana@x", "visits": .int(Int64(number + 5)),
                ]
                values["id"] = given.map { .uuid($0) }
                try context.execute(BatchInsert(of: Member.self, objects: [values]))
            }
            if upsert != .batch { try context.save() }
            let reader = container.newContext()
            let found = try Member.all(in: reader)
            #expect(found.count == 1)
            #expect(found.first?.visits == number + 5, "\(upsert)")
            #expect(found.first?.id == given ?? id, "\(upsert)")
            #expect(found.first?.stamp?.mark == mark, "\(upsert)")
            #expect(found.first?.joined.timeIntervalSinceReferenceDate == 0, "\(upsert)")
        }
    }

    // MARK: Migration

    private final class Old: ManagedObject {
        @Managed var title: String
        @Managed var code: String?

        override class var entityName: String { "Page" }
    }
    private final class New: ManagedObject {
        @Managed var title: String
        @Managed var code: String = UUID().uuidString
        @Managed var id = UUID()
        @Managed var seen = Date()
        @Managed var stamp = Stamp(date: Date(), mark: UUID())
        @Managed var pages = 7

        override class var entityName: String { "Page" }
    }

    @Test func migrationGivesEveryRowAValueOfItsOwn() throws {
        let folder = try ScratchFolder("DefaultTests")
        let url = folder.url.appending(path: "pages.sqlite")
        let container = try PersistentContainer(for: Old.self, url: url)
        let context = container.viewContext
        for number in 0..<50 {
            let page = Old(context: context)
            page.title = "\(number)"
            page.code = number == 0 ? "kept" : nil
        }
        try context.save()
        container.close()

        for _ in 0..<2 {
            let migrated = try PersistentContainer(for: New.self, url: url)
            let pages = try New.all(in: migrated.viewContext)
            #expect(pages.count == 50 && Set(pages.map(\.id)).count == 50)
            #expect(Set(pages.map(\.code)).count == 50)
            #expect(pages.filter { $0.code == "kept" }.map(\.title) == ["0"])
            #expect(Set(pages.compactMap(\.stamp.mark)).count == 50)
            #expect(
                pages.allSatisfy { $0.pages == 7 && $0.seen > Date(timeIntervalSinceNow: -600) }
            )
            migrated.close()
        }
    }

    @Test func classGivesDefaultsThatItsModelCannotHold() throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "Page",
                [
                    AttributeDescription("id", .uuid, optional: false),
                    AttributeDescription("code", .string, optional: false),
                ]
            )
        ])
        for _ in 0..<2 {
            // The second time the model is frozen.
            let container = try PersistentContainer(
                model: model,
                classes: [Short.self],
                options: .inMemory
            )
            let context = container.viewContext
            #expect(Set((0..<9).map { _ in Short(context: context).id }).count == 9)
            try context.save()
        }
        let error = #expect(throws: ObjectGraphError.self) {
            try PersistentContainer(
                model: ManagedObjectModel([
                    EntityDescription(
                        "Page",
                        [AttributeDescription("id", .uuid, default: .uuid(UUID()))]
                    )
                ]),
                classes: [Short.self],
                options: .inMemory
            )
        }
        #expect(error?.message.contains("its default is not the model's") == true)
    }

    private final class Short: ManagedObject {
        @Managed var id = UUID()
        @Managed var code = UUID().uuidString

        override class var entityName: String { "Page" }
    }
}
