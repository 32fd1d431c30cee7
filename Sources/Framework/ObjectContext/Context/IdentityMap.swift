import CObjects
import ObjectModel
import ObjectStore

/// The instances of a context by ID, not retained: an object is removed when it is freed.
///
/// One page table for each store and entity. Of those of permanent and of temporary IDs the last used
/// one is cached, because accesses come in runs, and a save goes from one kind to the other. The type
/// knows instances by their addresses only. Being generic costs nothing, because it is specialised
/// within the module.
///
/// Safety: who uses instances keeps them alive. An instance removes itself at the end of its
/// `deinit`; until then, while the `deinit` of its class runs, its address is still here, and
/// ``get(_:)`` finds nothing, because what is being freed cannot be held any more.
final class IdentityMap<Object: AnyObject> {
    private struct State {
        var tables: [UInt64: PageTableBox] = [:]
        // Safety: see `table(_:)`.
        var permanent: (prefix: UInt64, table: Unmanaged<PageTableBox>?) = (.max, nil)
        var temporary: (prefix: UInt64, table: Unmanaged<PageTableBox>?) = (.max, nil)
    }

    /// Behind a pointer, so that a lookup needs no check for exclusive access.
    ///
    /// Safety: freed with this.
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    // Safety: `tables` keeps it.
    @inline(__always)
    private func table(_ id: ManagedObjectID) -> Unmanaged<PageTableBox>? {
        let prefix = id.raw >> 37
        if prefix == state.pointee.permanent.prefix { return state.pointee.permanent.table }
        if prefix == state.pointee.temporary.prefix { return state.pointee.temporary.table }
        guard let table = state.pointee.tables[prefix] else { return nil }
        let found = Unmanaged.passUnretained(table)
        if id.isTemporaryID {
            state.pointee.temporary = (prefix, found)
        } else {
            state.pointee.permanent = (prefix, found)
        }
        return found
    }

    @inline(__always)
    func get(_ id: ManagedObjectID) -> Object? {
        guard let table = table(id) else { return nil }
        let word = table._withUnsafeGuaranteedRef { $0.words.get(id.key) }
        return UnsafeRawPointer(bitPattern: word).flatMap(retained)
    }

    /// The instance at an address with one more reference; `nil` if it is being freed.
    @inline(__always)
    private func retained(_ pointer: UnsafeRawPointer) -> Object? {
        guard let held = cobjects_retain_live(UnsafeMutableRawPointer(mutating: pointer)) else {
            return nil
        }
        // Safety: the reference that the runtime has just given.
        return Unmanaged<Object>.fromOpaque(held).takeRetainedValue()
    }

    // Safety: the address alone.
    @inline(__always)
    private func word(_ object: Object) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Leads an ID to an instance.
    ///
    /// `replace` is called with the instance that had the ID before, which may be one that is being
    /// freed: it must not be kept.
    @inline(__always)
    func set(_ id: ManagedObjectID, _ object: Object, replace: (Object) -> Void) {
        let word = word(object)
        if let table = table(id) {
            let former = table._withUnsafeGuaranteedRef { $0.words.set(id.key, word) }
            if former != 0, former != word { visit(former, replace) }
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
        table._withUnsafeGuaranteedRef {
            if $0.words.get(id.key) == word(object) { $0.words.set(id.key, 0) }
        }
    }

    /// All registered instances that are not being freed, in no order.
    ///
    /// Cost: one pass over the pages.
    var objects: [Object] {
        var result: [Object] = []
        for table in state.pointee.tables.values {
            table.words.visit { _, word in
                guard let pointer = UnsafeRawPointer(bitPattern: word) else { return }
                if let object = retained(pointer) { result.append(object) }
            }
        }
        return result
    }

    /// Calls with all registered instances, also those that are being freed, which must not be kept.
    func visit(_ body: (Object) -> Void) {
        for table in state.pointee.tables.values {
            table.words.visit { _, word in visit(word, body) }
        }
    }

    private func visit(_ word: UInt, _ body: (Object) -> Void) {
        guard let pointer = UnsafeRawPointer(bitPattern: word) else { return }
        // Safety: what is registered is not freed yet; the body may free it at its end.
        Unmanaged<Object>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    func removeAll() {
        state.pointee = State()
    }
}
