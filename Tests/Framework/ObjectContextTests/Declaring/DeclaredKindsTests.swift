import CompilerAtHand
import FoundationEssentials
import ObjectGraph
import Testing

/// Every kind of attribute and relationship, declared by the class alone.
@Suite struct DeclaredKindsTests {
    enum Status: String, Codable, AttributeValue { case open, done }
    enum Level: Int, AttributeValue, Codable {
        case low = 1
        case high
    }
    enum Repeat: Codable, AttributeValue, Equatable {
        case never
        case days(Int)
        case until(Date)
    }

    struct Address: Codable, AttributeValue, Equatable {
        var street: String
        var city: String
        var weights: [String: Double] = ["b": 2, "a": .infinity]
    }
    struct Span: CompositeValue, Codable, Hashable {
        var low: Int?
        var high: Int?

        static let elements: [CompositeElement<Span>] = [
            .init("low", \.low, rules: [.minimum(0)]), .init("high", \.high),
        ]
    }
    struct Place: CompositeValue, Hashable {
        var name: String = ""
        var level: Level?
        var span: Span?

        static let elements: [CompositeElement<Place>] = [
            .init("name", \.name), .init("level", \.level), .init("span", \.span),
        ]
    }

    final class Errand: ManagedObject {
        @Managed var title: String
        @Managed(indexed: true) var status: Status = .open
        @Managed var level: Level?
        @Managed var rhythm: Repeat = .never
        @Managed var address: Address?
        @Managed var homes: [Address]
        @Managed var place: Place?
        @Managed(unique: true) var span: Span = Span(low: 1, high: 2)
        @Managed(inverse: .none, transient: true) var draftOf: Errand?
        @Managed(inverse: .none) var next: Errand?
        @Managed var owner: Owner?
        @Fetched(
            where: { (other, me: PropertyPath<Errand, Errand>) in other.status == me.status },
            sortedBy: [\.title]
        )
        var alike: [Errand]
    }
    final class Owner: ManagedObject {
        @Managed var name: String
        @Managed(deleteRule: .cascade) var errands: Set<Errand>
    }

    @Test(arguments: [StoreType.inMemory, .sqlite, .xml, .binary])
    func everyKindIsSavedSearchedAndUndone(_ type: StoreType) throws {
        let folder = try ScratchFolder("DeclaredKindsTests")
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(
            for: Errand.self,
            url: folder.url.appending(path: "a.store"),
            options: options
        )
        let context = container.viewContext
        context.undoManager = UndoManager()
        let owner = Owner(in: context) { $0.name = "Ann" }
        let home = Address(street: "Long", city: "Bath")
        let first = Errand(in: context) {
            $0.title = "first"
            $0.homes = [home]
            $0.owner = owner
        }
        let second = Errand(in: context) {
            $0.title = "second"
            $0.status = .done
            $0.level = .high
            $0.rhythm = .days(3)
            $0.address = home
            $0.homes = []
            $0.place = Place(name: "attic", level: .high, span: Span(low: 7, high: nil))
            $0.span = Span(low: 5, high: nil)
            $0.draftOf = first
            $0.next = first
        }
        try context.save()
        #expect(owner.errands == [first] && first.span == Span(low: 1, high: 2))

        let other = container.newContext()
        let read = try #require(try Errand.first(in: other, where: { $0.place.span.low > 6 }))
        #expect(read.title == "second" && read.level == .high && read.rhythm == .days(3))
        #expect(read.address == home && read.homes == [])
        #expect(read.place == Place(name: "attic", level: .high, span: Span(low: 7, high: nil)))
        #expect(read.draftOf == nil && second.draftOf === first && read.next?.title == "first")
        #expect(try read.value(forKeyPath: "place.span.low") == 7)
        #expect(read.alike == [read])

        #expect(try Errand.all(in: other, where: \.status == .done) == [read])
        let (done, high, list) = (Status.done, Level.high, [Status.done])
        let (some, set): (Level?, Set<Status>) = (.high, [.done])
        let predicates: [Predicate<Errand>] = [
            #Predicate { $0.status == done }, #Predicate { !($0.status != done) },
            #Predicate { $0.level == high }, #Predicate { $0.level != nil },
            #Predicate { list.contains($0.status) }, #Predicate { set.contains($0.status) },
            #Predicate { $0.level == some && $0.title == "second" },
            #Predicate { [done, done].contains($0.status) },
            #Predicate { ($0.level ?? high) == high && $0.next?.title == "first" },
        ]
        for (number, predicate) in predicates.enumerated() {
            #expect(try Errand.all(in: other, where: predicate) == [read], "\(number)")
            #expect(try predicate.evaluate(read), "\(number)")
        }
        #expect(try Errand.all(in: other, where: \.address == home) == [read])
        #expect(
            try Errand.all(in: other, sortedBy: \.status, \.title).map(\.title) == [
                "second", "first",
            ]
        )

        second.address?.city = "Wells"
        second.place?.span?.low = 8
        second.status = .open
        context.processPendingChanges()
        #expect(second.changedValues().keys.sorted() == ["address", "place", "status"])
        try context.undo()
        #expect(second.address == home && second.place?.span?.low == 7 && second.status == .done)
        second.address = home
        #expect(second.changedValues().isEmpty && !second.hasPersistentChangedValues)
    }

    @Test func rulesOfElementsAndUniqueCompositesAreChecked() throws {
        let container = try PersistentContainer(for: Errand.self, options: .inMemory)
        let context = container.viewContext
        _ = Errand(in: context) {
            $0.title = "a"
            $0.homes = []
        }
        try context.save()
        let twin = Errand(in: context) {
            $0.title = "b"
            $0.homes = []
        }
        #expect(throws: ObjectGraphError.self) { try context.save() }
        twin.span = Span(low: -3, high: nil)
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.key == "span.low" || error?.underlying.isEmpty == false, "\(error as Any)")
        twin.span = Span(low: 3, high: nil)
        try context.save()
    }

    @Test func throwingConfigurationInsertsNothing() throws {
        struct Stop: Error {}
        let context = try PersistentContainer(for: Errand.self, options: .inMemory).viewContext
        #expect(throws: Stop.self) {
            try Owner(in: context) {
                $0.name = "x"
                throw Stop()
            }
        }
        #expect(try Owner.count(in: context) == 0 && !context.hasChanges)
    }

    // MARK: Inverses

    private func model(_ classes: ManagedObject.Type...) -> (ManagedObjectModel?, String) {
        do {
            return (try ManagedObjectModel(for: classes), "")
        } catch {
            return (nil, (error as? ObjectGraphError)?.message ?? "\(error)")
        }
    }

    private func inverses(_ model: ManagedObjectModel?) -> [String] {
        (model?.entities ?? []).flatMap { entity in
            entity.ownProperties.compactMap { $0 as? RelationshipDescription }.map {
                "\(entity.name).\($0.name)=\($0.inverseName ?? "-")"
            }
        }.sorted()
    }

    private final class Node: ManagedObject {
        @Managed var parent: Node?
        @Managed var children: [Node]
        @Managed(inverse: .none) var marks: Set<Mark>
        @Managed var pages: Set<Page>
    }
    private final class Mark: ManagedObject { @Managed var node: Node? }
    private final class Page: ManagedObject { @Managed var nodes: Set<Node> }

    @Test func onlyPossibleInverseIsInferred() {
        #expect(
            inverses(model(Node.self, Mark.self).0) == [
                "Mark.node=-", "Node.children=parent", "Node.marks=-", "Node.pages=nodes",
                "Node.parent=children", "Page.nodes=pages",
            ]
        )
    }

    private final class Chain: ManagedObject {
        @Managed var next: Chain?
        @Managed var father: Chain?
        @Managed var mother: Chain?
    }

    @Test func relationshipsOfOneKindBetweenObjectsOfOneClassStayOneWay() {
        #expect(
            inverses(model(Chain.self).0) == ["Chain.father=-", "Chain.mother=-", "Chain.next=-"]
        )
    }

    private final class Writer: ManagedObject { @Managed var books: Set<Text> }
    private final class Text: ManagedObject {
        @Managed var author: Writer?
        @Managed var editor: Writer?
    }

    @Test func severalPossibleInversesAreASentenceWithAll() {
        let message = model(Writer.self).1
        #expect(
            message.contains("Writer.books: its inverse can be Text.author or Text.editor."),
            "\(message)"
        )
        #expect(message.split(separator: "\n").count == 1)
    }

    private final class Painter: ManagedObject { @Managed var works: Set<Canvas> }
    private final class Canvas: ManagedObject {
        @Managed(inverse: \.works) var painter: Painter?
        @Managed var owner: Painter?
    }

    @Test func statedInverseLeavesTheOtherOneWay() {
        #expect(
            inverses(model(Painter.self).0) == [
                "Canvas.owner=-", "Canvas.painter=works", "Painter.works=painter",
            ]
        )
    }

    private final class Room: ManagedObject { @Managed(inverse: .none) var chairs: Set<Chair> }
    private final class Chair: ManagedObject { @Managed(inverse: \.chairs) var room: Room? }

    @Test func inverseOfARelationshipWithoutOneIsRefused() {
        #expect(model(Chair.self).1.contains("Chair.room: its inverse Room.chairs is declared to"))
    }
}
