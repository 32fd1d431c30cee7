/// A map from row keys to words: pages of 1,024, created at the first write.
///
/// Row keys are dense, so this is faster and smaller than a hash table; a missing key reads 0. Keys
/// beyond ``denseLimit``, which foreign stores may have, go to a dictionary.
///
/// Reading and writing use a pointer, so that a table can be a constant of its owner and needs no
/// check for exclusive access. Safety: the memory is freed with the table.
package struct PageTable: ~Copyable {
    private struct State {
        var pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt>?>
        var pageCount = 0
        var sparse: [Int64: UInt] = [:]
    }

    // Safety: owned, as its pages are.
    private let state: UnsafeMutablePointer<State>

    /// Keys from here on are kept in a dictionary: one stray key must not cost gigabytes.
    package static let denseLimit: Int64 = 1 << 28

    package init() {
        state = UnsafeMutablePointer.allocate(capacity: 1)
        state.initialize(to: State(pages: UnsafeMutablePointer.allocate(capacity: 1)))
    }

    deinit {
        removeAll()
        state.pointee.pages.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The word at a key; 0 if none was set.
    @inline(__always)
    package func get(_ key: Int64) -> UInt {
        let page = Int(key >> 10)
        guard page < state.pointee.pageCount, page >= 0 else { return getSparse(key) }
        guard let words = state.pointee.pages[page] else { return 0 }
        return words[Int(key & 1023)]
    }

    /// Returns the word that was there.
    @inline(__always)
    @discardableResult
    package func set(_ key: Int64, _ word: UInt) -> UInt {
        let page = Int(key >> 10)
        guard page < state.pointee.pageCount, page >= 0, let words = state.pointee.pages[page]
        else { return setSlowly(key, word) }
        let former = words[Int(key & 1023)]
        words[Int(key & 1023)] = word
        return former
    }

    /// Calls `body` for each key that has a word other than 0, in no order.
    package func visit(_ body: (Int64, UInt) -> Void) {
        for page in 0..<state.pointee.pageCount {
            guard let words = state.pointee.pages[page] else { continue }
            for index in 0..<1024 where words[index] != 0 {
                body(Int64(page << 10 | index), words[index])
            }
        }
        for (key, word) in state.pointee.sparse { body(key, word) }
    }

    package func removeAll() {
        for page in 0..<state.pointee.pageCount {
            state.pointee.pages[page]?.deallocate()
            state.pointee.pages[page] = nil
        }
        state.pointee.sparse = [:]
    }

    private func getSparse(_ key: Int64) -> UInt {
        state.pointee.sparse.isEmpty ? 0 : state.pointee.sparse[key] ?? 0
    }

    @inline(never)
    private func setSlowly(_ key: Int64, _ word: UInt) -> UInt {
        guard key >= 0, key < PageTable.denseLimit else {
            let former = getSparse(key)
            state.pointee.sparse[key] = word == 0 ? nil : word
            return former
        }
        if word == 0 { return 0 }
        let page = Int(key >> 10)
        if page >= state.pointee.pageCount { grow(to: page + 1) }
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 1024)
        words.initialize(repeating: 0, count: 1024)
        words[Int(key & 1023)] = word
        state.pointee.pages[page] = words
        return 0
    }

    private func grow(to wanted: Int) {
        let old = state.pointee.pageCount
        let count = max(wanted, old * 2, 16)
        let grown = UnsafeMutablePointer<UnsafeMutablePointer<UInt>?>.allocate(capacity: count)
        grown.initialize(repeating: nil, count: count)
        grown.update(from: state.pointee.pages, count: old)
        state.pointee.pages.deallocate()
        state.pointee.pages = grown
        state.pointee.pageCount = count
    }
}
