public import FoundationEssentials

/// The identity of a managed object: which store, which entity, which row.
///
/// A trivial 64-bit value: identity maps, relationship slots and change sets hold it without
/// reference counting. Only the ID of an object may be sent to another context, to another executor
/// or in a notification.
///
/// An ID is *temporary* from an object's insertion until it is saved, then *permanent*.
/// A temporary ID never equals a permanent one.
///
/// Layout, high to low: 1 bit temporary, 14 bits `IDSpace`, 12 bits entity number, 37 bits key.
public struct ManagedObjectID: Hashable, Sendable {
    /// The packed form.
    ///
    /// Meaningful inside this process only; use ``uri`` to keep an identity.
    public let raw: UInt64

    /// An identity of its packed form; see ``raw``.
    @inlinable public init(raw: UInt64) { self.raw = raw }

    @inlinable public init(space: UInt16, entity: UInt16, key: Int64, isTemporary: Bool = false) {
        raw =
            (isTemporary ? 1 << 63 : 0) | UInt64(space) << 49 | UInt64(entity) << 37
            | UInt64(bitPattern: key) & ManagedObjectID.keyMask
    }

    @inlinable package static var keyMask: UInt64 { (1 << 37) - 1 }

    /// The largest row key that an ID can carry.
    package static let largestKey = Int64(keyMask)

    // Written by hand: the compiler's own `==` is not inlined into other modules.

    @inlinable public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.raw == right.raw
    }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(raw) }

    /// What a set or dictionary of IDs asks for instead of a `Hasher`, which costs ten times as much.
    ///
    /// Nobody chooses keys so that they collide: they are numbers of rows of the program's own store.
    @inlinable public func _rawHashValue(seed: Int) -> Int {
        let product = (raw ^ UInt64(bitPattern: Int64(seed))) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: product ^ product >> 32)
    }

    /// Whether the object has not been saved yet.
    @inlinable public var isTemporaryID: Bool { raw >> 63 != 0 }

    /// The row's primary key, or the serial number of a temporary ID.
    @inlinable public var key: Int64 { Int64(raw & ManagedObjectID.keyMask) }

    /// The number of the concrete entity, 1…n as in `Z_ENT`.
    @inlinable public var entityNumber: UInt16 { UInt16(truncatingIfNeeded: raw >> 37) & 0xfff }

    @inlinable package var spaceNumber: UInt16 { UInt16(truncatingIfNeeded: raw >> 49) & 0x3fff }

    /// The store (or, for temporary IDs, the coordinator) that gave the ID out.
    package var space: IDSpace { IDSpace.at(spaceNumber) }

    /// The name of the object's entity.
    public var entityName: String { space.entityName(entityNumber) }

    /// The UUID of the store that holds the object; `nil` for a temporary ID.
    public var storeIdentifier: UUID? { isTemporaryID ? nil : space.storeIdentifier }

    /// The identity as text that outlives the process:
    /// `x-coredata://<store UUID>/<Entity>/p<key>`, or for a temporary ID
    /// `x-coredata:///<Entity>/t<coordinator UUID><serial>`.
    ///
    /// The key is the number of the row, or what the store calls the object (``ReferenceObject``).
    ///
    /// The form is Core Data's, with the store's UUID.
    public var uri: String {
        let space = space
        let name = space.entityName(entityNumber)
        return isTemporaryID
            ? "x-coredata:///\(name)/t\(space.storeIdentifier.uuidString)\(key)"
            : "x-coredata://\(space.storeIdentifier.uuidString)/\(name)/p"
                + space.reference(self).component
    }
}

extension ManagedObjectID: CustomStringConvertible {
    public var description: String { "<\(uri)>" }
}

extension ManagedObjectID: Comparable {
    /// Orders IDs by store, entity and key; the order of insertion within one entity.
    @inlinable public static func < (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.raw < right.raw
    }
}
