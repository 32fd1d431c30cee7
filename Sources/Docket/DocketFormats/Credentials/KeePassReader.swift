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
/// | `Tags`, `OverrideURL`, the time of expiry | extra fields |
/// | `CreationTime`, `LastModificationTime` | created, modified |
///
/// Former states of an entry (`History`), the recycle bin, attached files, rules of auto-type and notes
/// of groups are left out; their number is reported. The "line" of an event is the number of the entry in the file.
///
/// A value with `Protected="True"` is encrypted by the database: such an entry is reported, not
/// imported.
enum KeePassReader {
    /// Reads a whole file.
    ///
    /// - Throws: `InputError` for a file that is not complete or not of KeePass.
    public static func read(_ bytes: [UInt8]) throws(InputError) -> CredentialExport {
        let document = KeePassDocument()
        do {
            try XMLReader.read(Data(bytes), document)
        } catch {
            throw .file(
                document.isKeePass
                    ? "The KeePass file is not complete or not valid XML: \(error); export it again."
                    : KeePassReader.foreign
            )
        }
        if !document.isKeePass { throw .file(KeePassReader.foreign) }
        var export = CredentialExport("KeePass XML", place: "entry")
        export.events = document.events + document.leftOut.events
        return export
    }

    private static let foreign =
        "This is not an export of KeePass: XML without KeePassFile, or HTML; export the database as"
        + " KeePass XML."
}

/// Gets the document's events; the open elements are on a stack.
private final class KeePassDocument: XMLHandler {
    private enum Element {
        case file, meta, recycleBin, root, group, groupName, uuid, entry, history, tags
        case string, key, value, binary, times, created, modified, expires, expiry
        case autoType, setting, groupNotes
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
        var expires = false
        var expiry = ""
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
    private(set) var leftOut = LeftOut()
    private(set) var isKeePass = false

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        let element = element(name)
        text.removeAll(keepingCapacity: true)
        switch element {
        case .file: isKeePass = true
        case .group: groups.append(Group())
        case .history: histories += 1
        case .entry where histories > 0: leftOut.note("former states of entries")
        case .entry:
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
        case ("Expires", .times): return .expires
        case ("ExpiryTime", .times): return .expiry
        case ("Association", .other), ("DefaultSequence", .other): return .autoType
        case ("OverrideURL", .entry): return .setting
        case ("Notes", .group): return .groupNotes
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
        case .groupNotes where !content.isEmpty: leftOut.note("notes of groups")
        default: if histories == 0 { end(element, name, content) }
        }
    }

    private func change(_ body: (inout Group) -> Void) {
        guard let last = groups.indices.last else { return }
        body(&groups[last])
    }

    /// The end of an element of an entry.
    private func end(_ element: Element, _ name: XMLName, _ content: String) {
        switch element {
        case .key: entry?.key = content
        case .value: entry?.value = content
        case .string: takeString()
        case .tags where !content.isEmpty:
            entry?.record.extraFields.append(.init("Tags", content))
        case .setting where !content.isEmpty:
            entry?.record.extraFields.append(.init(name.string, content))
        case .autoType where entry != nil && !(name.string == "DefaultSequence" && content.isEmpty):
            leftOut.note("rules of auto-type")
        case .expires: entry?.expires = content.lowercased() == "true"
        case .expiry: entry?.expiry = content
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
            return leftOut.note("entries in the recycle bin")
        }
        if found.isSealed {
            let problem = "The entry is encrypted: export the database again as plain XML."
            return events.append(.failure(ImportProblem(line: found.number, message: problem)))
        }
        // The outermost group is the database itself.
        found.record.category = groups.dropFirst().map(\.name).filter { !$0.isEmpty }
            .joined(separator: "/")
        if found.expires { found.record.extraFields.append(.init("Expires", found.expiry)) }
        var remarks: [String] = []
        if found.files > 0 {
            remarks.append(
                "Its \(found.files) attached file\(found.files == 1 ? " was" : "s were")"
                    + " left out."
            )
        }
        if found.record.takeNameIfMissing() { remarks.append("The entry has no title.") }
        events.append(.record(found.record, line: found.number, remarks: remarks))
    }
}
