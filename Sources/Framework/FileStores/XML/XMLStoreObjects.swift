import FoundationEssentials
import ObjectModel
import ObjectStore

/// The objects of a document, while they are read: each is begun, gets its values and ends.
struct XMLStoreObjects {
    private let store: XMLStore
    private var nodes: [AtomicStoreCacheNode] = []
    private var idByNumber: [Int64: ManagedObjectID] = [:]
    private var idByText: [String: ManagedObjectID] = [:]
    private var pending: [Pending] = []
    /// The references of ``pending``.
    private var references: [ReferenceObject] = []

    /// The object that has begun.
    private var current: (id: ManagedObjectID, form: XMLEntity)?
    private var values: [GraphValue] = []

    /// A relationship whose destinations are found when all objects are known.
    private struct Pending {
        /// The place of its object in ``nodes``.
        let node: Int
        let relationship: RelationshipDescription
        let references: Range<Int>
    }

    init(_ store: XMLStore) { self.store = store }

    /// The entity of the object that has begun; `nil` between objects.
    var form: XMLEntity? { current?.form }

    /// - Returns: whether no other object has the reference.
    mutating func begin(_ form: XMLEntity, _ reference: ReferenceObject) -> Bool {
        let id = store.objectID(for: form.entity, withReferenceObject: reference)
        current = (id, form)
        values = form.noValues
        return switch reference {
        case .number(let number): idByNumber.updateValue(id, forKey: number) == nil
        case .text(let text): idByText.updateValue(id, forKey: text) == nil
        }
    }

    mutating func set(_ value: GraphValue, at slot: Int) { values[slot] = value }

    /// - Parameters:
    ///   - idrefs: the references, separated by blanks.
    ///   - relationship: of the object's entity.
    /// - Returns: whether the relationship can have so many destinations.
    mutating func set(
        _ idrefs: UnsafeRawBufferPointer,
        of relationship: RelationshipDescription
    ) -> Bool {
        let start = references.count
        if idrefs.contains(where: { $0 >= 0x80 }) {
            // Blanks of Unicode separate too.
            let text = String(decoding: idrefs, as: UTF8.self)
            for var idref in text.split(whereSeparator: \.isWhitespace) {
                references.append(
                    idref.withUTF8 { XMLStoreObjects.reference(UnsafeRawBufferPointer($0)) }
                )
            }
        } else {
            for idref in idrefs.split(whereSeparator: { $0 <= 0x20 }) {
                let bytes = UnsafeRawBufferPointer(rebasing: idref)
                references.append(XMLStoreObjects.reference(bytes))
            }
        }
        if references.count == start { return true }
        if !relationship.isToMany, references.count > start + 1 { return false }
        pending.append(
            Pending(
                node: nodes.count,
                relationship: relationship,
                references: start..<references.count
            )
        )
        return true
    }

    mutating func end() {
        guard let (id, form) = current.take() else { return }
        nodes.append(AtomicStoreCacheNode(id, form.entity, values))
        values = []
    }

    /// Gives the store its nodes.
    mutating func fill() throws {
        for relationship in pending { resolve(relationship) }
        pending = []
        references = []
        try store.addCacheNodes(nodes)
    }

    /// `z102` is the number 102, as Core Data writes it; any other text stands for itself.
    static func reference(_ id: UnsafeRawBufferPointer) -> ReferenceObject {
        // 18 digits are always less than 2^63.
        if (2...19).contains(id.count), id[0] == UInt8(ascii: "z"), id[1] != UInt8(ascii: "0") {
            var number: Int64 = 0
            for byte in id.dropFirst() {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
                    return .text(String(decoding: id, as: UTF8.self))
                }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return .number(number)
        }
        let text = String(decoding: id, as: UTF8.self)
        if text.first == "z", let number = Int64(text.dropFirst()), number > 0,
            ReferenceObject.isNumber(text.dropFirst())
        {
            return .number(number)
        }
        return .text(text)
    }

    private func resolve(_ pending: Pending) {
        let relationship = pending.relationship
        let ids = references[pending.references].compactMap { reference -> ManagedObjectID? in
            let known: ManagedObjectID?
            switch reference {
            case .number(let number): known = idByNumber[number]
            case .text(let text): known = idByText[text]
            }
            // An object that does not exist any more: a delete rule without action left it.
            return known
                ?? relationship.destination.map { entity in
                    store.objectID(for: entity, withReferenceObject: reference)
                }
        }
        let node = nodes[pending.node]
        if relationship.isToMany {
            node.loadedMembers.append((relationship.slot, ids))
        } else if let id = ids.first {
            node.values[relationship.slot] = .objectID(id)
        }
    }
}
