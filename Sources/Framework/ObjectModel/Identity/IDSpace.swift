package import FoundationEssentials
import Synchronization

/// What gives object IDs their meaning: one store opened with one model, or one coordinator for
/// its temporary IDs.
///
/// Spaces are numbered for the life of the process. Opening the same store again with the same
/// entities yields the same number, so IDs kept across a close and reopen stay valid and equal.
public final class IDSpace: Sendable {
    /// Of the space, for the life of the process.
    public let number: UInt16
    package let storeIdentifier: UUID

    /// Entity names by entity number; index 0 is unused.
    package let entityNames: [String]

    /// What the store calls its objects, where that is not a row key.
    let references = ReferenceTable()

    private init(number: UInt16, storeIdentifier: UUID, entityNames: [String]) {
        self.number = number
        self.storeIdentifier = storeIdentifier
        self.entityNames = entityNames
    }

    package func entityName(_ number: UInt16) -> String {
        Int(number) < entityNames.count ? entityNames[Int(number)] : "?"
    }

    /// The number that identities of an entity have; `nil` for an unknown one.
    public func entityNumber(_ name: String) -> UInt16? {
        entityNames.firstIndex(of: name).map { UInt16($0) }
    }

    private struct Key: Hashable {
        let identifier: UUID
        let names: [String]
    }

    private struct Registry {
        var spaces: [IDSpace] = []
        var numbers: [Key: UInt16] = [:]
    }

    private static let registry = Mutex(Registry())

    /// The most spaces that one process can open.
    package static let limit = 1 << 14

    /// The space of a store (or of a coordinator, under a UUID of its own).
    ///
    /// Traps after 16,384 different stores in one process; such a program should be split.
    package static func space(for identifier: UUID, entityNames: [String]) -> IDSpace {
        registry.withLock { registry in
            let key = Key(identifier: identifier, names: entityNames)
            if let number = registry.numbers[key] { return registry.spaces[Int(number)] }
            precondition(registry.spaces.count < limit, "more than \(limit) stores in one process")
            let space = IDSpace(
                number: UInt16(registry.spaces.count),
                storeIdentifier: identifier,
                entityNames: entityNames
            )
            registry.spaces.append(space)
            registry.numbers[key] = space.number
            return space
        }
    }

    package static func at(_ number: UInt16) -> IDSpace {
        registry.withLock { $0.spaces[Int(number)] }
    }

    /// Reads an ID's text form, if a store of its UUID has been opened in this process.
    package static func id(uri: String) -> ManagedObjectID? {
        let spaces = registry.withLock { $0.spaces }
        // The newest comes first: the same store may have been opened with an older model before.
        return spaces.lazy.reversed().compactMap { $0.id(uri: uri) }.first
    }

    /// Reads an ID's text form for a store of this space.
    ///
    /// - Returns: `nil` unless the text is a permanent URI of this store and of a known entity.
    package func id(uri: String) -> ManagedObjectID? {
        let prefix = "x-coredata://\(storeIdentifier.uuidString)/"
        guard uri.hasPrefix(prefix) else { return nil }
        let parts = uri.dropFirst(prefix.count).split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let entity = entityNumber(String(parts[0])), parts[1].first == "p",
            let reference = ReferenceObject(component: parts[1].dropFirst())
        else { return nil }
        if references.isInUse { return id(entity, reference) }
        guard case .number(let key) = reference, key > 0, key <= ManagedObjectID.largestKey
        else { return nil }
        return ManagedObjectID(space: number, entity: entity, key: key)
    }
}

extension GraphValue {
    /// The value of an attribute of object IDs: the ID, or the text if its store was not opened in this
    /// process.
    package init(storedID uri: String) {
        self = IDSpace.id(uri: uri).map { .objectID($0) } ?? .string(uri)
    }
}
