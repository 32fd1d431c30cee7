import ObjectModel
import ObjectStore
import Synchronization

/// Reports to stores that want to know which objects contexts use.
///
/// One for each coordinator, shared by its contexts. While no such store is open, a context tests
/// one flag for each instance.
final class RegistrationWatch {
    /// Gives the store of an ID, if it is open; the coordinator sets it.
    var withStore: ((ManagedObjectID, (any PersistentStore) -> Void) -> Void)?
    /// Whether an open store wants to know.
    ///
    /// Set before any object of that store can exist.
    private let flag = Atomic<Bool>(false)

    @inline(__always)
    var isOn: Bool { flag.load(ordering: .relaxed) }

    func noteStore(_ store: any PersistentStore) {
        if store.observesRegistration { flag.store(true, ordering: .relaxed) }
    }

    @inline(never)
    func registered(_ ids: [ManagedObjectID]) {
        tell(ids) { store, ids in store.didRegister(ids) }
    }

    @inline(never)
    func unregistered(_ ids: [ManagedObjectID]) {
        tell(ids) { store, ids in store.didUnregister(ids) }
    }

    private func tell(
        _ ids: [ManagedObjectID],
        _ body: (any PersistentStore, [ManagedObjectID]) -> Void
    ) {
        guard let withStore else { return }
        for (_, ids) in Dictionary(grouping: ids.filter { !$0.isTemporaryID }, by: \.spaceNumber) {
            withStore(ids[0]) { store in
                if store.observesRegistration { body(store, ids) }
            }
        }
    }
}
