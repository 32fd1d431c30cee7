import Foundation
import ObjectGraph
import ObjectGraphFoundation
import Testing

/// Sort descriptors of Foundation order a fetch as they order an array.
@Suite struct SortDescriptorTests {
    @Test func descriptorsOfFoundationOrderAFetch() throws {
        let context = try PersistentContainer(for: Author.self, options: .inMemory).viewContext
        for (title, year) in [("volume 10", 1815), ("Volume 2", 1817), ("emma", 1815)] {
            let book = context.insert(Book.self)
            book.title = title
            book.year = year
        }
        let byYear: [SortDescriptor<Book>] = [
            SortDescriptor(\.year, order: .reverse), SortDescriptor(\.title),
        ]
        #expect(
            try Book.all(in: context, sortedBy: byYear).map(\.title) == [
                "Volume 2", "emma", "volume 10",
            ]
        )
        #expect(
            try Book.all(
                in: context,
                where: #Predicate { $0.year == 1815 },
                sortedBy: [SortDescriptor(\.title, order: .reverse)]
            ).map(\.title) == ["volume 10", "emma"]
        )
        let path = try SortKey<Book>(SortDescriptor(\.author?.name))
        #expect(path.descriptor == FetchSortDescriptor("author.name"))
    }

    @Test func descriptorOfComputedPropertyIsRefused() throws {
        let context = try PersistentContainer(for: Author.self, options: .inMemory).viewContext
        let error = failure {
            _ = try Book.all(in: context, sortedBy: [SortDescriptor(\.shortTitle)])
        }
        #expect(error?.message.contains("not a property of the model") == true, "\(error as Any)")
    }
}
