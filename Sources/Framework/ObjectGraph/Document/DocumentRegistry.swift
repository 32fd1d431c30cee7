import FoundationEssentials
import ObjectModel
import Synchronization

/// The documents of this program, by their places without links.
///
/// It keeps none of them alive. A place is claimed from the opening of a document to its closing,
/// so that one place is never open twice.
enum DocumentRegistry {
    private struct Entry {
        weak var shared: ManagedDocument?
        /// The identity of the document that is open there.
        var claimant: UUID?

        var isIdle: Bool { shared == nil && claimant == nil }
    }

    // Locks in asynchronous code are not inlined; see docs/design/threads.md.

    private static let entries = Mutex<[String: Entry]>([:])

    /// The shared document of a place; made if there is none.
    static func shared(
        at place: DocumentPlace,
        _ make: () throws -> ManagedDocument
    ) rethrows -> ManagedDocument {
        try entries.withLock { entries in
            entries = entries.filter { !$0.value.isIdle }
            if let known = entries[place.path]?.shared { return known }
            let new = try make()
            entries[place.path, default: Entry()].shared = new
            return new
        }
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotOpen``.
    static func claim(_ place: DocumentPlace, for claimant: UUID) throws {
        try entries.withLock { entries in
            if let other = entries[place.path]?.claimant, other != claimant {
                throw ObjectGraphError(
                    .cannotOpen,
                    "The document \"\(place.name)\" is open already in this program.",
                    recovery: "Use the shared document of its place."
                )
            }
            entries[place.path, default: Entry()].claimant = claimant
        }
    }

    @inline(never)
    static func release(_ place: DocumentPlace, of claimant: UUID) {
        entries.withLock { entries in
            guard entries[place.path]?.claimant == claimant else { return }
            entries[place.path]?.claimant = nil
            if entries[place.path]?.isIdle ?? false { entries[place.path] = nil }
        }
    }

    static func isClaimed(_ place: DocumentPlace) -> Bool {
        entries.withLock { $0[place.path]?.claimant != nil }
    }
}
