package import ObjectModel

/// Words by object ID: a page table for each entity, created at the first write.
package struct EntityPages {
    private var tables: [PageTableBox?] = []

    package init() {}

    /// The table of an object's entity; `nil` before the first write.
    @inline(__always)
    package func table(of id: ManagedObjectID) -> PageTableBox? {
        let index = Int(id.entityNumber)
        return index < tables.count ? tables[index] : nil
    }

    /// The table of an object's entity, created if needed.
    package mutating func madeTable(of id: ManagedObjectID) -> PageTableBox {
        if let known = table(of: id) { return known }
        let index = Int(id.entityNumber)
        while tables.count <= index { tables.append(nil) }
        let made = PageTableBox()
        tables[index] = made
        return made
    }

    /// The word of an object; 0 if none was set.
    @inline(__always)
    package func get(_ id: ManagedObjectID) -> UInt { table(of: id)?.words.get(id.key) ?? 0 }

    /// Returns the word that was there.
    @discardableResult
    package mutating func set(_ id: ManagedObjectID, _ word: UInt) -> UInt {
        if let known = table(of: id) { return known.words.set(id.key, word) }
        return madeTable(of: id).words.set(id.key, word)
    }

    package var all: [PageTableBox] { tables.compactMap { $0 } }
}

/// A reference to a page table, so that it can be an element of an array.
package final class PageTableBox {
    package final let words = PageTable()

    package init() {}
}
