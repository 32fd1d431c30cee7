import ObjectModel
import ObjectStore

/// The instances of a context by ID, not retained: an object is removed when it is freed.
///
/// One page table for each store and entity; the last used one is cached, because accesses come in
/// runs. The type knows instances by their addresses only. Being generic costs nothing, because it
/// is specialised within the module.
final class IdentityMap<Object: AnyObject> {
    private struct State {
        var tables: [UInt64: PageTableBox] = [:]
        var lastPrefix = UInt64.max
        var last: PageTableBox?
    }

    /// Behind a pointer, so that a lookup needs no check for exclusive access.
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    @inline(__always)
    private func table(_ id: ManagedObjectID) -> PageTableBox? {
        let prefix = id.raw >> 37
        if prefix == state.pointee.lastPrefix { return state.pointee.last }
        guard let found = state.pointee.tables[prefix] else { return nil }
        state.pointee.lastPrefix = prefix
        state.pointee.last = found
        return found
    }

    @inline(__always)
    func get(_ id: ManagedObjectID) -> Object? {
        guard let table = table(id),
            let pointer = UnsafeRawPointer(bitPattern: table.words.get(id.key))
        else { return nil }
        return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
    }

    @inline(__always)
    func set(_ id: ManagedObjectID, _ object: Object) {
        let word = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        if let table = table(id) {
            table.words.set(id.key, word)
        } else {
            let made = PageTableBox()
            state.pointee.tables[id.raw >> 37] = made
            made.words.set(id.key, word)
        }
    }

    /// Removes an ID if it leads to this instance.
    @inline(__always)
    func remove(_ id: ManagedObjectID, _ object: Object) {
        guard let table = table(id) else { return }
        let word = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        if table.words.get(id.key) == word { table.words.set(id.key, 0) }
    }

    /// All registered instances, in no order.
    ///
    /// Cost: one pass over the pages.
    var objects: [Object] {
        var result: [Object] = []
        for table in state.pointee.tables.values {
            table.words.visit { _, word in
                guard let pointer = UnsafeRawPointer(bitPattern: word) else { return }
                result.append(Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue())
            }
        }
        return result
    }

    func removeAll() {
        state.pointee = State()
    }
}
