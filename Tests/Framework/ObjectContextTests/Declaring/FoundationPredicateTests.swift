import CompilerAtHand
import FoundationEssentials
import ObjectGraph
import SeededRandom
import Testing

/// Predicates of Foundation find in a store what they find in memory.
@Suite struct FoundationPredicateTests {
    private static let year = 1816
    private static let titles = ["Emma", "", "emma", "Äther", "Persuasion", "E"]
    private static let wanted: Set<String> = ["Emma", "E"]

    private static var predicates: [(name: String, predicate: Predicate<Book>)] {
        let range: ClosedRange<Int16> = 2...4
        let text = ""
        var all: [(name: String, predicate: Predicate<Book>)] = []
        func add(_ name: String, _ predicate: Predicate<Book>) { all.append((name, predicate)) }
        add("comparison", #Predicate { $0.copies < 3 })
        add("equality", #Predicate { $0.title == "Emma" })
        add("inequality of an optional", #Predicate { $0.year != 1816 })
        add("nil", #Predicate { $0.year == nil || $0.isbn != nil })
        add("captured", #Predicate { ($0.year ?? 0) < year })
        add("coalesced", #Predicate { ($0.year ?? 2000) > 1900 })
        add("path", #Predicate { $0.author?.name == "Jane" })
        add("path, unequal", #Predicate { $0.author?.name != "Jane" })
        add("path of two", #Predicate { $0.sequelOf?.author?.name == "Jane" })
        add("flag", #Predicate { $0.isRead && !($0.copies == 1) })
        add("flag, compared", #Predicate { $0.isRead == false })
        add("contains", #Predicate { $0.title.contains("mm") })
        add("contains nothing", #Predicate { $0.title.contains(text) })
        add("prefix", #Predicate { $0.title.starts(with: "E") })
        add("empty", #Predicate { $0.title.isEmpty })
        add("range", #Predicate { (2...4).contains($0.copies) })
        add("captured range", #Predicate { range.contains($0.copies) })
        add("half open", #Predicate { (2..<4).contains($0.copies) })
        add("list", #Predicate { ["Emma", "E"].contains($0.title) })
        add("captured set", #Predicate { wanted.contains($0.title) })
        add("any", #Predicate { $0.topics.contains { $0.name == "love" } })
        add("all", #Predicate { $0.topics.allSatisfy { $0.name == "love" } })
        add("count", #Predicate { $0.topics.count > 1 })
        add("no members", #Predicate { $0.topics.isEmpty })
        add("filter", #Predicate { $0.topics.filter { $0.name.contains("o") }.count == 1 })
        add("nested", #Predicate { book in book.topics.contains { $0.name == book.title } })
        add("sum", #Predicate { $0.copies + 1 > 3 })
        add("product", #Predicate { $0.copies * 2 < 9 })
        add("difference", #Predicate { $0.copies - 1 != 2 })
        add("condition", #Predicate { $0.isRead ? $0.copies > 2 : $0.copies < 2 })
        add("flat map", #Predicate { $0.year.flatMap { $0 > 1815 } ?? false })
        add("flat map, compared", #Predicate { $0.year.flatMap { $0 > 1815 } == true })
        add("negation", #Predicate { !($0.title == "Emma" || $0.copies > 2) })
        add("constant", #Predicate { _ in true })
        return all
    }

    @Test(arguments: [StoreType.inMemory, .sqlite], SeededRandom.seeds(6))
    func storeFindsWhatMemoryFinds(_ type: StoreType, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try ScratchFolder("FoundationPredicateTests")
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(
            for: Author.self,
            url: folder.url.appending(path: "a.sqlite"),
            options: options
        )
        let context = container.viewContext
        let authors = ["Jane", "Mary"].map { name in
            let author = context.insert(Author.self)
            author.name = name
            return author
        }
        let topics = ["love", "money", "Emma"].map { name in
            let topic = context.insert(Topic.self)
            topic.name = name
            return topic
        }
        for number in 0..<30 {
            let book = context.insert(Book.self)
            book.title = random.pick(Self.titles)
            book.year = random.pick([nil, 1815, 1816, 1999])
            book.isbn = random.chance(2) ? "\(number)" : nil
            book.copies = Int16(random.below(6))
            book.isRead = random.chance(2)
            book.author = random.pick([nil] + authors)
            book.keywords = []
            book.topics = Set(topics.filter { _ in random.chance(2) })
        }
        let all = try Book.all(in: context)
        for book in all { book.sequelOf = random.chance(2) ? random.pick(all) : nil }
        for isSaved in [false, true] {
            if isSaved {
                for book in all where book.topics.isEmpty { book.topics = [topics[0]] }
                for (number, book) in all.enumerated() { book.title += "\(number % 2)" }
                try? context.save()
            }
            for (name, predicate) in Self.predicates {
                let found = Set(try Book.all(in: context, where: predicate))
                let wanted = Set(try all.filter { try predicate.evaluate($0) })
                #expect(found == wanted, "\(name), saved: \(isSaved)")
            }
        }
    }

    /// Not `Codable`.
    private enum Mood: String, AttributeValue { case calm, merry }

    private final class Day: ManagedObject {
        @Managed var mood: Mood = .calm
        @Managed var former: Mood?
        @Managed var number: Int
    }

    @Test(arguments: [StoreType.inMemory, .sqlite])
    func enumerationIsComparedWithoutBeingCodable(_ type: StoreType) throws {
        let folder = try ScratchFolder("FoundationPredicateTests")
        var options = StoreOptions()
        options.type = type
        let context = try PersistentContainer(
            for: Day.self,
            url: folder.url.appending(path: "a.sqlite"),
            options: options
        ).viewContext
        for (number, former) in [nil, Mood.calm, .merry, nil].enumerated() {
            let day = context.insert(Day.self)
            day.number = number
            day.mood = number < 2 ? .calm : .merry
            day.former = former
        }
        let (merry, none) = (Mood.merry, Mood?.none)
        let cases: [(Predicate<Day>, [Int])] = [
            (#Predicate { $0.mood == merry }, [2, 3]),
            (#Predicate { $0.mood != merry }, [0, 1]),
            (#Predicate { $0.former == merry }, [2]),
            (#Predicate { $0.former != merry }, [0, 1, 3]),
            (#Predicate { $0.former == none }, [0, 3]),
            (#Predicate { $0.former != nil && !($0.mood == merry) }, [1]),
            (#Predicate { $0.number > 0 && $0.mood == merry }, [2, 3]),
        ]
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for (predicate, numbers) in cases {
                let found = try Day.all(in: context, where: predicate, sortedBy: \.number)
                #expect(found.map(\.number) == numbers, "\(predicate), saved: \(isSaved)")
                #expect(
                    try Day.all(in: context).filter { try predicate.evaluate($0) }.count
                        == numbers.count,
                    "\(predicate)"
                )
            }
        }
    }

    @Test func objectsAndIDsAreCompared() throws {
        let context = try PersistentContainer(for: Author.self, options: .inMemory).viewContext
        let author = context.insert(Author.self)
        let book = context.insert(Book.self)
        book.author = author
        _ = context.insert(Book.self)
        let id = author.objectID
        #expect(
            try Book.all(in: context, where: #Predicate { $0.author?.objectID == id }) == [book]
        )
    }

    @Test func partsWithoutACounterpartAreNamed() throws {
        let context = try PersistentContainer(for: Author.self, options: .inMemory).viewContext
        var cases: [(Predicate<Book>, String)] = []
        cases.append((#Predicate { $0.title.count > 3 }, "count"))
        cases.append((#Predicate { $0.keywords[0] == "x" }, "CollectionIndexSubscript"))
        for (predicate, part) in cases {
            let error = failure { _ = try Book.all(in: context, where: predicate) }
            #expect(error?.code == .invalidRequest, "\(error as Any)")
            #expect(error?.message.contains(part) == true, "\(error as Any)")
            #expect(error?.recovery.isEmpty == false)
        }
    }
}
