import Foundation
import ObjectGraph

/// A store class as a program writes it: one text of a file per line, and nothing else.
///
/// The reference of a note is its name, a text.
final class NotesStore: AtomicStore {
    static let storeType = StoreType(rawValue: "Notes")

    /// What the framework called, in this order.
    nonisolated(unsafe) static var log: [String] = []
    /// Thrown by the next call of `save`.
    nonisolated(unsafe) static var failure: (any Error)?

    static func model() -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription(
                "Note",
                [
                    AttributeDescription("name", .string),
                    AttributeDescription("text", .string),
                    RelationshipDescription("next", to: "Note", inverse: "previous"),
                    RelationshipDescription("previous", to: "Note", inverse: "next"),
                ]
            )
        ])
    }

    override var type: StoreType { NotesStore.storeType }

    override class func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        let text = try String(contentsOf: url, encoding: .utf8)
        guard let first = text.split(separator: "\n").first, first.hasPrefix("notes ") else {
            throw ObjectGraphError(.cannotOpen, "This is not a file of notes.")
        }
        return [
            "NSStoreType": .string(storeType.rawValue),
            "NSStoreUUID": .string(String(first.dropFirst("notes ".count))),
        ]
    }

    override func load() throws {
        NotesStore.log.append("load")
        guard let data = try contents(of: location), let entity = entities.first else { return }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst()
        try addCacheNodes(
            lines.map { line in
                let parts = line.split(separator: "=", omittingEmptySubsequences: false)
                guard parts.count == 3 else { throw damaged("a line has no text") }
                let id = objectID(for: entity, withReferenceObject: .text(String(parts[0])))
                let node = AtomicStoreCacheNode(objectID: id, entity: entity)
                try node.setValue(.string(String(parts[0])), forKey: "name")
                try node.setValue(.string(String(parts[1])), forKey: "text")
                if !parts[2].isEmpty {
                    let next = ReferenceObject.text(String(parts[2]))
                    try node.setValue(
                        .objectID(objectID(for: entity, withReferenceObject: next)),
                        forKey: "next"
                    )
                }
                return node
            }
        )
    }

    override func save() throws {
        NotesStore.log.append("save")
        if let failure = NotesStore.failure {
            NotesStore.failure = nil
            throw failure
        }
        guard case .string(let identifier)? = metadata["NSStoreUUID"] else { return }
        var lines = ["notes \(identifier)"]
        for node in cacheNodes {
            var next = ""
            if case .objectID(let id) = try node.value(forKey: "next") {
                next = referenceObject(for: id).description
            }
            let text = try node.value(forKey: "text").shown
            lines.append("\(referenceObject(for: node.objectID))=\(text)=\(next)")
        }
        try replaceContents(of: location, with: Data(lines.joined(separator: "\n").utf8))
    }

    override func newCacheNode(for object: StoreObject) throws -> AtomicStoreCacheNode {
        NotesStore.log.append("new \(try object.value(forKey: "name").shown)")
        return try super.newCacheNode(for: object)
    }

    override func updateCacheNode(_ node: AtomicStoreCacheNode, from object: StoreObject) throws {
        NotesStore.log.append(
            "update \(referenceObject(for: node.objectID)) \(object.changedKeys.sorted())"
        )
        try super.updateCacheNode(node, from: object)
    }

    override func willRemoveCacheNodes(_ nodes: Set<AtomicStoreCacheNode>) throws {
        let names = nodes.map { referenceObject(for: $0.objectID).description }.sorted()
        NotesStore.log.append("remove \(names)")
    }

    override func newReferenceObject(for object: StoreObject) throws -> ReferenceObject {
        let name = try object.value(forKey: "name").shown
        return name.isEmpty ? try super.newReferenceObject(for: object) : .text(name)
    }
}

extension GraphValue {
    /// The text of a string; empty for anything else.
    var shown: String {
        if case .string(let text) = self { return text }
        return ""
    }
}
