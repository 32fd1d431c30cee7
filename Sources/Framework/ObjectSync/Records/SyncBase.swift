import FoundationEssentials
import ObjectContext
import ObjectModel

/// What was agreed with a remote about one object: a row of the entity of the same name.
final class SyncBase {
    let key: SyncKey
    private let row: ManagedObject
    /// The remote's name for the object, and the version from which the values are; `nil` if the
    /// remote does not have the object, as far as we know.
    var href: String?
    var version: String?
    /// The values that both sides had.
    var record: SyncRecord
    /// Whether the object differs from what was agreed, or is deleted, as far as that was looked up.
    var isDirty = false
    /// What was or is about to be sent, and is not yet answered.
    var sent: SyncRecord?
    /// Values that a merge has made and the remote does not have yet, with their stamps.
    var carried: SyncRecord
    /// References to objects that do not exist here, so that the property lacks them.
    var waiting: Set<WaitingReference>
    /// When the values were agreed: changes here are later.
    var moment: Date

    /// The remote whose deletion of the object was followed here, and when.
    ///
    /// It is kept in place of values that are not sent any more.
    var followed: (remote: String, date: Date)? {
        get { carried.extra.map { (String(decoding: $0, as: UTF8.self), carried.modified) } }
        set {
            let name = newValue.map { Data($0.remote.utf8) }
            carried = SyncRecord(key, modified: newValue?.date ?? .distantPast, extra: name)
        }
    }

    /// A reference of a property to an object that does not exist here.
    struct WaitingReference: Hashable {
        let property: String
        let name: String
    }

    /// The row's values.
    ///
    /// - Throws: the error of a row that is not readable.
    init(_ row: ManagedObject) throws {
        self.row = row
        func data(_ key: String) throws -> Data? {
            if case .data(let data) = try row.value(forKey: key) { data } else { nil }
        }
        func text(_ key: String) throws -> String? {
            if case .string(let text) = try row.value(forKey: key) { text } else { nil }
        }
        record = try SyncRecordReader.record(data("record") ?? Data())
        key = record.key
        href = try text("href")
        version = try text("version")
        sent = try data("sent").map { try SyncRecordReader.record($0) }
        carried =
            try data("carried").map { try SyncRecordReader.record($0) } ?? SyncRecord(record.key)
        waiting = []
        if let waiting = try data("waiting") {
            for case .list(let pair) in try SyncRecordReader.value(waiting).elements {
                guard case .string(let property) = pair.first, case .reference(let name) = pair.last
                else { continue }
                self.waiting.insert(WaitingReference(property: property, name: name))
            }
        }
        moment = .distantPast
        if case .date(let date) = try row.value(forKey: "moment") { moment = date }
        isDirty = try row.value(forKey: "isDirty") == .bool(true)
    }

    /// A new row, for an object that the remote does not have.
    init(_ key: SyncKey, kind: String, remote: String, in context: ManagedObjectContext) throws {
        row = try context.insert(entityNamed: SyncModel.base)
        self.key = key
        record = SyncRecord(key, kind: kind)
        carried = SyncRecord(key)
        waiting = []
        moment = .distantPast
        try row.setValue(.string(SyncBase.text(key, remote)), forKey: "key")
        try row.setValue(.string(remote), forKey: "remote")
        try store()
    }

    /// Writes the values that have changed into the row.
    func store() throws {
        func set(_ key: String, _ value: GraphValue) throws {
            if try row.value(forKey: key) != value { try row.setValue(value, forKey: key) }
        }
        try set("href", href.map { .string($0) } ?? .null)
        try set("version", version.map { .string($0) } ?? .null)
        try set("record", .data(SyncRecordWriter.data(record)))
        try set("sent", sent.map { .data(SyncRecordWriter.data($0)) } ?? .null)
        let hasCarried = !carried.values.isEmpty || carried.extra != nil
        try set("carried", hasCarried ? .data(SyncRecordWriter.data(carried)) : .null)
        let pairs = waiting.map { SyncValue.list([.string($0.property), .reference($0.name)]) }
        let list = SyncValue.set(Set(pairs))
        try set("waiting", pairs.isEmpty ? .null : .data(SyncRecordWriter.data(list)))
        try set("moment", .date(moment))
        try set("isDirty", .bool(isDirty))
    }

    func delete(in context: ManagedObjectContext) { context.delete(row) }

    /// The object of a row with a unique text.
    static func key(_ text: String, _ remote: String) -> SyncKey? {
        let parts = text.dropFirst(remote.count + 1).split(separator: "\n", maxSplits: 1)
        return parts.count == 2 ? SyncKey(entity: String(parts[0]), name: String(parts[1])) : nil
    }

    /// The unique text of a row.
    static func text(_ key: SyncKey, _ remote: String) -> String {
        "\(remote)\n\(key.entity)\n\(key.name)"
    }
}
