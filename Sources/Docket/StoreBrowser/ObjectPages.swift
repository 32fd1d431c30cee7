import StoreExploring

/// A list of objects that is read page by page, as rows are shown.
///
/// A few pages are kept: those that were used last. So memory does not grow with the list, and
/// neither moving by one row nor jumping to the end reads much.
struct ObjectPages {
    /// What is in the list.
    enum Source {
        /// All objects of an entity.
        case entity(String)
        /// Objects by their URIs.
        case objects([String])
    }

    static let pageSize = 128
    private static let kept = 8

    let source: Source
    let count: Int
    private let inspector: StoreInspector
    private var pages: [Int: [InspectedObject]] = [:]
    /// The pages in memory, the last used one at the end.
    private var order: [Int] = []

    init(_ source: Source, count: Int, _ inspector: StoreInspector) {
        self.source = source
        self.count = count
        self.inspector = inspector
    }

    /// How many objects are in memory.
    var loadedCount: Int { pages.values.reduce(0) { $0 + $1.count } }

    /// Reads the pages with some rows.
    mutating func load(_ rows: Range<Int>) throws {
        guard !rows.isEmpty else { return }
        let size = ObjectPages.pageSize
        for page in rows.lowerBound / size...(rows.upperBound - 1) / size {
            order.removeAll { $0 == page }
            order.append(page)
            if pages[page] != nil { continue }
            pages[page] = try read(page * size)
        }
        while order.count > ObjectPages.kept { pages[order.removeFirst()] = nil }
    }

    /// The object of a row; `nil` if it was not loaded, or does not exist any more.
    subscript(row: Int) -> InspectedObject? {
        guard let page = pages[row / ObjectPages.pageSize] else { return nil }
        let place = row % ObjectPages.pageSize
        return place < page.count ? page[place] : nil
    }

    private func read(_ start: Int) throws -> [InspectedObject] {
        let size = ObjectPages.pageSize
        switch source {
        case .entity(let name): return try inspector.objects(of: name, from: start, limit: size)
        case .objects(let identifiers):
            return try inspector.objects(at: Array(identifiers.dropFirst(start).prefix(size)))
        }
    }
}
