import FoundationEssentials
import ObjectGraph
import Testing

/// Conditions, orders and columns written in Swift are what the parser makes of their formats.
@Suite struct TypedDialectTests {
    private let now = Date(timeIntervalSinceReferenceDate: 1_000)

    private func context() throws -> ManagedObjectContext {
        try PersistentContainer(for: Author.self, options: .inMemory).viewContext
    }

    private func expect<Root: ManagedObject>(
        _ condition: Condition<Root>,
        _ format: String,
        _ arguments: (any FetchOperand)?...
    ) throws {
        let parsed = try FetchPredicate(
            format: format,
            argumentArray: arguments.map { $0?.operandValue ?? .null }
        )
        #expect(condition.predicate == parsed, "\(condition)")
    }

    private func books(_ body: (PropertyPath<Book, Book>) -> Condition<Book>) -> Condition<Book> {
        Condition(body)
    }

    private func authors(
        _ body: (PropertyPath<Author, Author>) -> Condition<Author>
    ) -> Condition<Author> { Condition(body) }

    @Test func comparisonsAndCompounds() throws {
        let early: Condition<Book> = \.acquired < now && \.copies >= 2
        try expect(early, "acquired < %@ AND copies >= 2", now)
        try expect(
            books { $0.copies == 1 && $0.copies != 2 && $0.copies > 3 },
            "copies == 1 AND copies != 2 AND copies > 3"
        )
        try expect(
            books { $0.copies <= 1 || !($0.title == "x") || $0.acquired == nil },
            "copies <= 1 OR NOT title == 'x' OR acquired == nil"
        )
        let sameYear: Condition<Book> = \.year == \.sequelOf.year
        try expect(sameYear, "year == sequelOf.year")
        try expect(books { $0.copies.in([1, 2]) }, "copies IN {1, 2}")
        try expect(books { $0.copies.between(1, 5) }, "copies BETWEEN {1, 5}")
        try expect(books { $0.acquired.compare(.less, .variable("now")) }, "acquired < $now")
        try expect(books { !$0.isRead }, "isRead == NO")
        try expect(books { $0.mood == .merry }, "mood == 'merry'")
        try expect(\Book.year < 1816, "year < 1816")
        try expect(Condition<Book>.always(true), "TRUEPREDICATE")
    }

    @Test func textOperators() throws {
        try expect(books { $0.title.contains("x", .cd) }, "title CONTAINS[cd] 'x'")
        try expect(books { $0.title.beginsWith("x", .c) }, "title BEGINSWITH[c] 'x'")
        try expect(books { $0.isbn.endsWith("x") }, "number ENDSWITH 'x'")
        try expect(books { $0.title.like("x*", .d) }, "title LIKE[d] 'x*'")
        try expect(books { $0.title.matches("x+") }, "title MATCHES 'x+'")
        try expect(books { $0.author.name.equals("x", .cd) }, "author.name ==[cd] 'x'")
    }

    @Test func relationshipsAndInheritedProperties() throws {
        let author = try context().insert(Author.self)
        let isHers: Condition<Book> = \.author == author
        try expect(isHers, "author == %@", author)
        try expect(books { $0.author != author }, "author != %@", author)
        try expect(books { $0.author == nil }, "author == nil")
        try expect(books { $0.author == author.objectID }, "author == %@", author.objectID)
        try expect(
            books { $0.author.in([author]) },
            "author IN %@",
            GraphValue.array([.object(author)])
        )
        try expect(books { $0.sequelOf.sequelOf.title == "x" }, "sequelOf.sequelOf.title == 'x'")
        try expect(books { $0.writer.name == "x" }, "author.name == 'x'")
        try expect(
            Condition<Work> { $0.as(Book.self).author.name == "x" },
            "author.name == 'x'"
        )
        try expect(books { $0.objectID == author.objectID }, "objectID == %@", author.objectID)
    }

    @Test func collections() throws {
        let topic = try context().insert(Topic.self)
        try expect(books { $0.topics.any { $0.name == "x" } }, "ANY topics.name == 'x'")
        try expect(books { $0.topics.all { $0.name == "x" } }, "ALL topics.name == 'x'")
        try expect(books { $0.topics.none { $0.name == "x" } }, "NONE topics.name == 'x'")
        try expect(books { $0.topics.contains(topic) }, "topics CONTAINS %@", topic)
        try expect(books { $0.topics.any { $0 == topic } }, "ANY topics == %@", topic)
        try expect(books { $0.topics.count > 2 }, "topics.@count > 2")
        try expect(books { $0.topics.isEmpty }, "topics.@count == 0")
        try expect(authors { $0.books.sum(\.copies) > 2 }, "books.@sum.copies > 2")
        try expect(authors { $0.books.max(\.year) > 2 }, "books.@max.year > 2")
        try expect(
            authors { $0.books.any { $0.title == "x" && $0.copies > 2 } },
            "SUBQUERY(books, $member, $member.title == 'x' AND $member.copies > 2).@count > 0"
        )
        try expect(
            authors { $0.books.all { $0.title == "x" || $0.copies > 2 } },
            "SUBQUERY(books, $member, NOT ($member.title == 'x' OR $member.copies > 2)).@count == 0"
        )
        try expect(
            authors {
                $0.books.any { book in book.topics.any { $0.name == "x" && $0.name != book.title } }
            },
            "SUBQUERY(books, $member, SUBQUERY($member.topics, $member_, $member_.name == 'x'"
                + " AND $member_.name != $member.title).@count > 0).@count > 0"
        )
        let cheap: Condition<Book> = \.copies < 2
        try expect(
            authors { author in author.books.any { cheap && $0.title == author.name } },
            "SUBQUERY(books, $member, $member.copies < 2 AND $member.title == name).@count > 0"
        )
        try expect(authors { $0.books.any(cheap) }, "ANY books.copies < 2")
        try expect(
            books { me in me.sequels.any { $0.year < me.year && me.copies > 1 } },
            "SUBQUERY(sequels, $member, $member.year < year AND copies > 1).@count > 0"
        )
    }

    @Test func ordersSayWhatTheySortBy() throws {
        let request = FetchRequest<Book>(
            where: \.year < 1816,
            sortedBy: \.author.name.localized,
            \.year.descending,
            \.title.localizedStandard.descending,
            \.isbn
        )
        #expect(
            request.sortDescriptors == [
                FetchSortDescriptor("author.name", comparison: .localized),
                FetchSortDescriptor("year", ascending: false),
                FetchSortDescriptor("title", ascending: false, comparison: .localizedStandard),
                FetchSortDescriptor("number"),
            ]
        )
        #expect(request.entityName == "Book")
        let early: Condition<Book> = \.year < 1816
        #expect(request.condition == early)
    }

    @Test func computedPropertiesAreRefusedByName() throws {
        let context = try context()
        let requests: [() throws -> Void] = [
            { _ = try Book.all(in: context, where: \.shortTitle == "Emm") },
            {
                _ = try Book.all(
                    in: context,
                    where: { $0.author.books.any { $0.shortTitle == "x" } }
                )
            },
            { _ = try Book.all(in: context, sortedBy: \.shortTitle) },
            { _ = try Book.all(in: context, sortedBy: \.shortTitle.descending) },
            { _ = try Book.all(in: context, prefetching: \.shortTitle) },
            { _ = try Book.values(of: \.shortTitle, in: context) },
            { _ = try Book.all(in: context, where: #Predicate { $0.shortTitle == "Emm" }) },
        ]
        for request in requests {
            let error = failure(request)
            #expect(
                error?.message.contains("not a property of the model") == true,
                "\(error as Any)"
            )
        }
    }

    @Test func groupsAndColumnsAreTyped() throws {
        let context = try context()
        for (name, titles) in [("Jane", ["Emma", "Persuasion"]), ("Mary", ["Lodore"])] {
            let author = context.insert(Author.self)
            author.name = name
            let topic = context.insert(Topic.self)
            topic.name = name
            for title in titles {
                let book = context.insert(Book.self)
                book.title = title
                book.copies = Int16(title.count)
                book.author = author
                book.keywords = []
                book.topics = [topic]
            }
        }
        try context.save()
        let rows = try context.fetch(
            FetchRequest<[String: GraphValue]>(
                of: Book.self,
                columns: [
                    .property(\.author.name, as: "author"), .count(\.title),
                    .sum(\.copies, as: "copies"), .max(\.copies, as: "most"),
                    .count(where: \.copies > 5, as: "many"),
                ],
                groupedBy: \.author.name,
                sortedBy: \.author.name
            )
        )
        #expect(
            rows == [
                ["author": "Jane", "count": 2, "copies": 14, "most": 10, "many": 1],
                ["author": "Mary", "count": 1, "copies": 6, "most": 6, "many": 1],
            ]
        )
        #expect(
            try Book.values(of: \.title, in: context, sortedBy: \.title.descending, limit: 1) == [
                "Persuasion"
            ]
        )
        let authors = try Author.all(
            in: ManagedObjectContext(coordinator: context.coordinator),
            sortedBy: \.name,
            prefetching: \.books.topics
        )
        #expect(authors[0].books.allSatisfy { !$0.hasFault(forRelationshipNamed: "topics") })
        try context.execute(
            BatchUpdate(
                of: Book.self,
                where: \.copies > 5,
                .set(\.copies, to: 1),
                .set(\.author, to: nil)
            ),
            as: "Sell"
        )
        #expect(try Book.count(in: context, where: \.copies == 1 && \.author == nil) == 2)
    }
}
