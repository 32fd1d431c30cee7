import DocketCore
import DocketFormats
import ObjectGraph
import Testing

/// Many records are read on one thread and handed over on another.
struct StreamingTests {
    private struct Full: Error {}

    private static func library(_ folder: LibraryFolder, items: Int) throws -> Library {
        let library = try folder.open()
        let lines = (0..<items).map { "item \($0) +L\($0 % 3) @t\($0 % 5)" }
        let file = Array(lines.joined(separator: "\n").utf8)
        _ = try library.importItems(.todotxt, from: file)
        return library
    }

    @Test func recordsComeInTheirOrderAndAllOfThemBeforeTheCallReturns() throws {
        let folder = try LibraryFolder()
        let library = try Self.library(folder, items: 5000)
        let ids = try library.itemIDs(matching: nil)
        var titles: [String] = []
        try library.forEachRecord(of: ids) { titles += $0.map(\.title) }
        #expect(titles == (0..<5000).map { "item \($0)" })
        titles = []
        try library.forEachRecord(of: ids.reversed()) { titles += $0.map(\.title) }
        #expect(titles == (0..<5000).reversed().map { "item \($0)" })
    }

    @Test func anErrorOfWhoTakesThemEndsThePass() throws {
        let folder = try LibraryFolder()
        let library = try Self.library(folder, items: 5000)
        let ids = try library.itemIDs(matching: nil)
        for place in 0..<9 {
            var calls = 0
            #expect(throws: Full.self) {
                try library.forEachRecord(of: ids) { _ in
                    calls += 1
                    if calls == place + 1 { throw Full() }
                }
            }
            #expect(calls >= place + 1 && calls <= place + 4, "after \(calls) slices")
        }
    }
}
