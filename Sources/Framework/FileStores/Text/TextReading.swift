import FoundationEssentials
import ObjectModel
import ObjectStore

struct TextReading {
    private let store: TextStore
    private let entities: [String: EntityDescription]
    private var nodes: [AtomicStoreCacheNode] = []
    /// The IDs by the number of the root entity and the reference.
    private var ids: [UInt16: [ReferenceObject: ManagedObjectID]] = [:]
    private var pending: [Pending] = []
    private var isComplete = false

    /// A relationship whose destinations are read when all objects are known.
    private struct Pending {
        let node: AtomicStoreCacheNode
        let relationship: RelationshipDescription
        let references: [ReferenceObject]
    }

    init(_ store: TextStore) {
        self.store = store
        entities = Dictionary(store.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Gives the store the nodes of a file.
    mutating func read(_ data: Data) throws {
        try data.withUnsafeBytes { try read(lines: $0) }
        if !isComplete { throw FormatProblem("its last line, \"\(TextWriting.end)\", is missing") }
        for relationship in pending { try resolve(relationship) }
        try store.addCacheNodes(nodes)
    }

    private mutating func read(lines bytes: UnsafeRawBufferPointer) throws {
        var start = 0
        var number = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            number += 1
            do {
                let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw FormatProblem("it is not UTF-8")
                }
                try read(line: text.hasSuffix("\r") ? text.dropLast() : text[...], number)
            } catch let problem as FormatProblem {
                throw FormatProblem("line \(number): \(problem.text)")
            }
            start = end + 1
        }
    }

    private mutating func read(line: Substring, _ number: Int) throws {
        if line.isEmpty { return }
        if line.first == "#" {
            if number == 1 { try checkVersion(line) }
            if line == TextWriting.end { isComplete = true }
            return
        }
        if isComplete { throw FormatProblem("it is behind the line \"\(TextWriting.end)\"") }
        let fields = TextEscaping.split(line, at: UInt8(ascii: "|"))
        let name = try TextEscaping.unescaped(fields[0])
        guard let entity = entities[name] else {
            throw FormatProblem("\"\(name)\" is not an entity of the model")
        }
        guard fields.count > 1, !fields[1].isEmpty else {
            throw FormatProblem("the object has no reference")
        }
        let reference = try reference(fields[1])
        let id = store.objectID(for: entity, withReferenceObject: reference)
        if ids[entity.root.number, default: [:]].updateValue(id, forKey: reference) != nil {
            throw FormatProblem("the reference \(fields[1]) is there twice")
        }
        let node = AtomicStoreCacheNode(objectID: id, entity: entity)
        for field in fields.dropFirst(2) { try read(field, node) }
        nodes.append(node)
    }

    private func checkVersion(_ line: Substring) throws {
        guard line.hasPrefix(TextWriting.header),
            let version = Int(line.dropFirst(TextWriting.header.count)),
            version > TextWriting.version
        else { return }
        throw ObjectGraphError(
            .cannotOpen,
            "The file has version \(version) of the text format; this program reads version"
                + " \(TextWriting.version).",
            recovery: "Use the newer version of the program that wrote it, or a backup."
        )
    }

    private mutating func read(_ field: Substring, _ node: AtomicStoreCacheNode) throws {
        let parts = TextEscaping.split(field, at: UInt8(ascii: "="), limit: 2)
        let name = try TextEscaping.unescaped(parts[0])
        guard let property = node.entity.property(named: name), property.isInStore else {
            throw FormatProblem("\(node.entity.name) has no property \"\(name)\"")
        }
        guard parts.count == 2 else { throw FormatProblem("\(name) has no \"=\"") }
        if let attribute = property as? AttributeDescription {
            var text = try TextEscaping.unescaped(parts[1])
            let value = text.withUTF8 { ValueText.value(UnsafeRawBufferPointer($0), of: attribute) }
            guard let value else {
                throw FormatProblem("the value of \(name) is not \(attribute.type.nameWithArticle)")
            }
            node.values[attribute.slot] = value
        } else if let relationship = property as? RelationshipDescription {
            let references = try TextEscaping.split(parts[1], at: UInt8(ascii: ","))
                .filter { !$0.isEmpty }.map { try reference($0) }
            if !relationship.isToMany, references.count > 1 {
                throw FormatProblem("\(name) has more than one destination")
            }
            pending.append(Pending(node: node, relationship: relationship, references: references))
        }
    }

    private func reference(_ text: Substring) throws -> ReferenceObject {
        if ReferenceObject.isNumber(text), let number = Int64(text) { return .number(number) }
        return .text(try TextEscaping.unescaped(text))
    }

    private func resolve(_ pending: Pending) throws {
        let relationship = pending.relationship
        guard let destination = relationship.destination else { return }
        let known = ids[destination.root.number] ?? [:]
        // An object that does not exist any more: a delete rule without action left it.
        let ids = pending.references.map { reference in
            known[reference] ?? store.objectID(for: destination, withReferenceObject: reference)
        }
        if relationship.isToMany {
            pending.node.loadedMembers.append((relationship.slot, ids))
        } else if let id = ids.first {
            pending.node.values[relationship.slot] = .objectID(id)
        }
    }
}
