import CivilTime
import FoundationEssentials
import XMLReading

/// Reads the unencrypted XML export of KeePass 2 and KeePassXC.
///
/// | KeePass | credential |
/// |---|---|
/// | strings `Title`, `UserName`, `Password`, `URL`, `Notes` | name, user id, password, address, notes |
/// | other strings | extra fields; protected ones are secret |
/// | groups below the root | category, with `/` between levels |
/// | `Tags` | extra field `Tags` |
/// | `CreationTime`, `LastModificationTime` | created, modified |
///
/// Former states of an entry (`History`) and the recycle bin are left out; the number of entries in
/// the bin is told. Attached files are left out, with a remark. The "line" of an event is the number
/// of the entry in the file.
///
/// A value with `Protected="True"` is encrypted by the database: such an entry is reported, not
/// imported.
package struct KeePassReader {
    private var events: ArraySlice<CredentialEvent> = []

    /// Reads a whole file.
    ///
    /// - Complexity: O(bytes), in time and memory.
    package init(_ bytes: [UInt8]) {
        if let problem = CredentialLimits.problem(ofSize: bytes.count) {
            events = [.failure(problem)]
            return
        }
        let document = KeePassDocument()
        do {
            try XMLReader.read(Data(bytes), document)
            document.finish()
        } catch let failure as XMLFailure {
            document.fail(
                "This is not a complete XML file: \(failure). The rest of the file was not read."
            )
        } catch {
            document.fail("\(error)")
        }
        events = document.events[...]
    }

    /// The next credential or problem; `nil` at the end.
    package mutating func next() -> CredentialEvent? { events.popFirst() }
}

/// Gets the document's events; the open elements are on a stack.
private final class KeePassDocument: XMLHandler {
    private enum Element {
        case file, meta, recycleBin, root, group, groupName, uuid, entry, history, tags
        case string, key, value, binary, times, created, modified
        case other
    }

    private struct Group {
        var name = ""
        var isBin = false
    }

    private struct Entry {
        var record = CredentialRecord()
        var number: Int
        var key = ""
        var value = ""
        var isSecret = false
        var isSealed = false
        var files = 0
    }

    private(set) var events: [CredentialEvent] = []
    private var stack: [Element] = []
    private var groups: [Group] = []
    private var entry: Entry?
    /// How many `History` elements are open; their entries are former states.
    private var histories = 0
    private var text: [UInt8] = []
    private var bin: String?
    private var count = 0
    private var binned = 0
    private var isKeePass = false

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        let element = element(name)
        text.removeAll(keepingCapacity: true)
        switch element {
        case .file: isKeePass = true
        case .group: groups.append(Group())
        case .history: histories += 1
        case .entry where histories == 0:
            count += 1
            entry = Entry(number: count)
        case .string where histories == 0:
            entry?.key = ""
            entry?.value = ""
            entry?.isSecret = false
        case .binary where histories == 0: entry?.files += 1
        case .value where histories == 0 && stack.last == .string:
            if isTrue(attributes["Protected"]) { entry?.isSealed = true }
            entry?.isSecret = isTrue(attributes["ProtectInMemory"])
        default: break
        }
        stack.append(element)
    }

    private func isTrue(_ value: XMLName?) -> Bool {
        value.map { $0.string.lowercased() == "true" } ?? false
    }

    private func element(_ name: XMLName) -> Element {
        let parent = stack.last
        switch (name.string, parent) {
        case ("KeePassFile", nil): return .file
        case ("Meta", .file): return .meta
        case ("RecycleBinUUID", .meta): return .recycleBin
        case ("Root", .file): return .root
        case ("Group", .root), ("Group", .group): return .group
        case ("Name", .group): return .groupName
        case ("UUID", .group): return .uuid
        case ("Entry", .group), ("Entry", .history): return .entry
        case ("History", .entry): return .history
        case ("Tags", .entry): return .tags
        case ("String", .entry): return .string
        case ("Binary", .entry): return .binary
        case ("Times", .entry): return .times
        case ("CreationTime", .times): return .created
        case ("LastModificationTime", .times): return .modified
        case ("Key", .string): return .key
        case ("Value", .string): return .value
        default: return .other
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) { text.append(contentsOf: bytes) }

    func end(_ name: XMLName) {
        guard let element = stack.popLast() else { return }
        defer { text.removeAll(keepingCapacity: true) }
        let content = String(decoding: text, as: UTF8.self)
        switch element {
        case .recycleBin: bin = content
        case .groupName: change { $0.name = content }
        case .uuid: if content == bin { change { $0.isBin = true } }
        case .group: groups.removeLast()
        case .history: histories -= 1
        default: if histories == 0 { end(element, content) }
        }
    }

    private func change(_ body: (inout Group) -> Void) {
        guard let last = groups.indices.last else { return }
        body(&groups[last])
    }

    /// The end of an element of an entry.
    private func end(_ element: Element, _ content: String) {
        switch element {
        case .key: entry?.key = content
        case .value: entry?.value = content
        case .string: takeString()
        case .tags where !content.isEmpty:
            entry?.record.extraFields.append(.init("Tags", content))
        case .created: entry?.record.created = ISODate.moment(content, zone: .utc)
        case .modified: entry?.record.modified = ISODate.moment(content, zone: .utc)
        case .entry: takeEntry()
        default: break
        }
    }

    private func takeString() {
        guard let found = entry, !found.value.isEmpty else { return }
        switch found.key {
        case "Title": entry?.record.name = found.value
        case "UserName": entry?.record.userID = found.value
        case "Password": entry?.record.password = found.value
        case "URL": entry?.record.address = found.value
        case "Notes": entry?.record.notes = found.value
        default:
            entry?.record.extraFields.append(
                .init(found.key, found.value, isSecret: found.isSecret)
            )
        }
    }

    private func takeEntry() {
        guard var found = entry else { return }
        entry = nil
        if groups.contains(where: \.isBin) {
            binned += 1
            return
        }
        if found.isSealed {
            return fail(
                "The entry is encrypted: export the database again as plain XML.",
                at: found.number
            )
        }
        // The outermost group is the database itself.
        found.record.category = groups.dropFirst().map(\.name).filter { !$0.isEmpty }
            .joined(separator: "/")
        var remarks: [String] = []
        if found.files > 0 {
            remarks.append(
                "Its \(found.files) attached file\(found.files == 1 ? " was" : "s were")"
                    + " left out."
            )
        }
        if found.record.name.isEmpty {
            let address = found.record.address
            found.record.name = address.isEmpty ? "Without a name" : address
            remarks.append("The entry has no title.")
        }
        events.append(.record(found.record, line: found.number, remarks: remarks))
    }

    func finish() {
        if !isKeePass {
            return fail("This is not an export of KeePass: it does not begin with KeePassFile.")
        }
        if binned > 0 {
            let entries = "\(binned) \(binned == 1 ? "entry" : "entries")"
            events.append(.remark("The recycle bin was left out, with \(entries)."))
        }
    }

    func fail(_ message: String, at number: Int? = nil) {
        events.append(.failure(ImportProblem(line: number ?? max(1, count), message: message)))
    }
}
