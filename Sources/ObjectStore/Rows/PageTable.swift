/// A map from row keys to words: pages of 1,024, made when first written.
///
/// Row keys are dense, so this is faster and smaller than a hash table; an absent key reads 0.
/// Keys beyond ``denseLimit`` (foreign stores may hold any number) go to a dictionary.
package struct PageTable: ~Copyable {
    private var pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt>?>
    private var pageCount: Int
    private var sparse: [Int64: UInt] = [:]

    /// Keys from here on are kept in a dictionary: one stray key must not cost gigabytes.
    package static let denseLimit: Int64 = 1 << 28

    package init() {
        pageCount = 0
        pages = UnsafeMutablePointer.allocate(capacity: 1)
    }

    deinit {
        for index in 0..<pageCount { pages[index]?.deallocate() }
        pages.deallocate()
    }

    /// The word at a key; 0 if none was set.
    @inline(__always)
    package func get(_ key: Int64) -> UInt {
        let page = Int(key >> 10)
        guard page < pageCount, page >= 0 else { return getSparse(key) }
        guard let words = pages[page] else { return 0 }
        return words[Int(key & 1023)]
    }

    @inline(__always)
    package mutating func set(_ key: Int64, _ word: UInt) {
        let page = Int(key >> 10)
        if page < pageCount, page >= 0, let words = pages[page] {
            words[Int(key & 1023)] = word
        } else {
            setSlowly(key, word)
        }
    }

    /// Calls `body` for each key that has a word other than 0, in no order.
    package func visit(_ body: (Int64, UInt) -> Void) {
        for page in 0..<pageCount {
            guard let words = pages[page] else { continue }
            for index in 0..<1024 where words[index] != 0 {
                body(Int64(page << 10 | index), words[index])
            }
        }
        for (key, word) in sparse { body(key, word) }
    }

    package mutating func removeAll() {
        for index in 0..<pageCount {
            pages[index]?.deallocate()
            pages[index] = nil
        }
        sparse = [:]
    }

    private func getSparse(_ key: Int64) -> UInt {
        sparse.isEmpty ? 0 : sparse[key] ?? 0
    }

    private mutating func setSlowly(_ key: Int64, _ word: UInt) {
        guard key >= 0, key < PageTable.denseLimit else {
            sparse[key] = word == 0 ? nil : word
            return
        }
        if word == 0 { return }
        let page = Int(key >> 10)
        if page >= pageCount {
            let count = max(page + 1, pageCount * 2, 16)
            let grown = UnsafeMutablePointer<UnsafeMutablePointer<UInt>?>.allocate(capacity: count)
            grown.initialize(repeating: nil, count: count)
            grown.update(from: pages, count: pageCount)
            pages.deallocate()
            pages = grown
            pageCount = count
        }
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 1024)
        words.initialize(repeating: 0, count: 1024)
        words[Int(key & 1023)] = word
        pages[page] = words
    }
}
