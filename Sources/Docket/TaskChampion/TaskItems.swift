import CivilTime
public import DocketFormats
public import FoundationEssentials

/// The items that tasks of Taskwarrior 3 are, and the reverse.
///
/// | property | item |
/// |---|---|
/// | `tag_NAME`, `dep_UUID`, `annotation_SECONDS` | tags, dependencies, notes |
/// | others of Taskwarrior | as in its JSON (`TaskwarriorReader`) |
/// | `docket_NAME` | the member of Docket's own JSON of that name, for what Taskwarrior has no property for |
/// | all others | kept |
///
/// Templates of repeating tasks are no items; they stay as they are on the server.
public struct TaskItems {
    private let settings: ExchangeSettings

    private static let prefix = "docket_"
    private static let times: Set = [
        "entry", "modified", "due", "start", "end", "wait", "scheduled", "until",
    ]
    /// The members of Docket's JSON for which Taskwarrior has no property, or none that keeps all.
    private static let own: Set = [
        "kind", "notes", "body", "flagged", "location", "recurrence", "countedFrom", "series",
        "estimate", "reminders", "parent", "list", "order",
    ]
    /// Those whose property has JSON; the others have the text itself.
    private static let written: Set = ["flagged", "estimate", "reminders", "order"]

    public init(settings: ExchangeSettings) { self.settings = settings }

    // MARK: Reading

    /// The item that a task is; `nil` for a template, and for a task that is no item, as one without
    /// a description.
    public func record(_ uuid: UUID, _ properties: TaskProperties) -> ItemRecord? {
        if properties["status"] == "recurring" { return nil }
        guard var record = taskwarrior(uuid, properties) else { return nil }
        let visible = record.notes
        take(properties, into: &record)
        // Edited annotations count, others stand for the text as it is here.
        let isEdited =
            annotations(self.properties(of: record, over: properties)) != annotations(properties)
        if isEdited {
            if record.kind == .note {
                (record.body, record.notes) = (visible, nil)
            } else {
                record.notes = visible
            }
        }
        return record
    }

    private func taskwarrior(_ uuid: UUID, _ properties: TaskProperties) -> ItemRecord? {
        var members = [JSONMember("uuid", .string(UUIDText.lowercase(uuid)))]
        var (tags, dependencies): ([JSONValue], [JSONValue]) = ([], [])
        for (name, value) in properties.sorted(by: { $0.key < $1.key })
        where !name.hasPrefix(TaskItems.prefix) {
            if name.hasPrefix("tag_") {
                tags.append(.string(String(name.dropFirst(4))))
            } else if name.hasPrefix("dep_") {
                dependencies.append(.string(String(name.dropFirst(4))))
            } else if name.hasPrefix("annotation_") {
                continue
            } else if TaskItems.times.contains(name), let time = time(value) {
                members.append(JSONMember(name, .string(time)))
            } else if name != "uuid", !["tags", "depends", "annotations"].contains(name) {
                members.append(JSONMember(name, .string(value)))
            }
        }
        if !tags.isEmpty { members.append(JSONMember("tags", .array(tags))) }
        if !dependencies.isEmpty { members.append(JSONMember("depends", .array(dependencies))) }
        if let value = annotationList(properties) {
            members.append(JSONMember("annotations", value))
        }
        var reader = TaskwarriorReader(source(members), settings: settings)
        guard case .record(let imported)? = reader.next() else { return nil }
        return imported.record
    }

    /// Takes what is in Docket's own properties.
    private func take(_ properties: TaskProperties, into record: inout ItemRecord) {
        var members = [JSONMember("title", .string("-"))]
        for (name, value) in properties where name.hasPrefix(TaskItems.prefix) {
            let name = String(name.dropFirst(TaskItems.prefix.count))
            guard TaskItems.own.contains(name) else { continue }
            var scanner = JSONScanner(Array(value.utf8))
            let parsed = TaskItems.written.contains(name) ? try? scanner.value() : .string(value)
            if let parsed { members.append(JSONMember(name, parsed)) }
        }
        if members.count == 1 { return }
        var reader = DocketJSONReader(source(members), settings: settings)
        guard case .record(let imported)? = reader.next() else { return }
        let theirs = imported.record
        record.kind = theirs.kind
        // Its annotations are its text.
        if theirs.kind == .note { record.notes = nil }
        let blank = ItemRecord(uuid: theirs.uuid, title: theirs.title, created: theirs.created)
        record.order = theirs.order
        var fields = theirs.fields(unlike: blank).filter { $0 != .extra }
        // A project that was changed since is another list.
        let project = theirs.list.isEmpty ? nil : TaskwarriorRules.project(ofList: theirs.list)
        if project != properties["project"] { fields.removeAll { $0 == .list } }
        record.take(fields, from: theirs)
    }

    private func source(_ members: [JSONMember]) -> ByteSource {
        var bytes: [UInt8] = []
        JSONText.append(.object(members), to: &bytes)
        return ByteSource(bytes)
    }

    private func time(_ seconds: some StringProtocol) -> String? {
        Int(seconds).map { ISODate.basicString(Date(timeIntervalSince1970: Double($0))) }
    }

    private func annotations(_ properties: TaskProperties) -> TaskProperties {
        properties.filter { $0.key.hasPrefix("annotation_") }
    }

    /// The annotations as in Taskwarrior's JSON.
    private func annotationList(_ properties: TaskProperties) -> JSONValue? {
        let notes = annotations(properties).compactMap { name, text -> (String, JSONValue)? in
            guard let entry = time(name.dropFirst(11)) else { return nil }
            let members = [
                JSONMember("entry", .string(entry)), JSONMember("description", .string(text)),
            ]
            return (entry, .object(members))
        }
        return notes.isEmpty ? nil : .array(notes.sorted { $0.0 < $1.0 }.map(\.1))
    }

    // MARK: Writing

    /// The properties that an item has.
    ///
    /// - Parameters:
    ///   - record: the item.
    ///   - former: the properties that its task has; annotations whose text stays keep their time.
    /// - Returns: all that its task is to have.
    public func properties(of record: ItemRecord, over former: TaskProperties?) -> TaskProperties {
        var record = record
        let section = ExchangeFormat.taskwarrior.name
        // What only the task has, and the annotations with their times.
        if let former, let known = taskwarrior(record.uuid, former) {
            record.extra[section] = known.extra[section]
        }
        var result: TaskProperties = [:]
        for tag in record.tags { result["tag_\(tag)"] = former?["tag_\(tag)"] ?? "" }
        for member in TaskwarriorWriter.object(of: record, settings) {
            switch (member.name, member.value) {
            case ("uuid", _), ("tags", _): continue
            case ("depends", .array(let others)):
                for other in others.compactMap(\.string) {
                    result["dep_\(other)"] = former?["dep_\(other)"] ?? ""
                }
            case ("annotations", .array(let notes)):
                for case .object(let note) in notes {
                    guard let text = note["entry"]?.string, let seconds = seconds(text) else {
                        continue
                    }
                    result["annotation_\(seconds)"] = note["description"]?.string ?? ""
                }
            case (let name, .string(let text)):
                let seconds = TaskItems.times.contains(name) ? seconds(text) : nil
                result[name] = seconds.map { "\($0)" } ?? text
            case (let name, .number(let text)): result[name] = text
            default: break
            }
        }
        // A point in a list's name would be a new level.
        if !record.list.contains(where: { $0.contains(".") }) { record.list = [] }
        var bytes: [UInt8] = []
        DocketJSONWriter.append(record, to: &bytes)
        var scanner = JSONScanner(bytes)
        guard case .object(let members)? = try? scanner.value() else { return result }
        for member in members where TaskItems.own.contains(member.name) {
            let text: String?
            switch member.value {
            case .null, .bool(false): text = nil
            case .string(let value): text = member.name == "kind" && value == "task" ? nil : value
            default:
                var bytes: [UInt8] = []
                JSONText.append(member.value, to: &bytes)
                text = String(decoding: bytes, as: UTF8.self)
            }
            if let text { result[TaskItems.prefix + member.name] = text }
        }
        return result
    }

    private func seconds(_ text: String) -> Int? {
        ISODate.moment(text, zone: .utc).map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }
}
