import CivilTime
import FoundationEssentials

/// Reads the unencrypted JSON export of Bitwarden and Vaultwarden.
///
/// | Bitwarden | credential |
/// |---|---|
/// | `name`, `notes` | name, notes |
/// | `login.username`, `login.password` | user id, password |
/// | first of `login.uris` | address; the others are extra fields `uri` |
/// | `login.totp` | secret extra field `totp` |
/// | name of the folder, or of the first collection | category; the others are extra fields |
/// | `fields` | extra fields; hidden ones are secret |
/// | `passwordHistory` | secret extra fields `former password` |
/// | `creationDate`, `revisionDate` | created, modified |
/// | members of `card`, `identity`, `sshKey`, and every other one | extra fields |
///
/// An item of another shape is reported with its line, and the others are read. Items in the trash,
/// passkeys, attachments and settings of Bitwarden are left out, and counted.
enum BitwardenReader {
    /// Reads a whole file.
    ///
    /// - Throws: `InputError` for a file that is encrypted, not complete or not of Bitwarden.
    public static func read(_ bytes: [UInt8]) throws(InputError) -> CredentialExport {
        var document = BitwardenDocument(bytes)
        do {
            try document.read()
        } catch {
            throw document.refusal(error)
        }
        if document.isEncrypted { throw .encrypted("The export of Bitwarden") }
        guard document.isOfBitwarden else { throw .file(foreign) }
        var leftOut = LeftOut()
        var export = CredentialExport("Bitwarden JSON")
        for (line, value) in document.items {
            var form = BitwardenItem(folders: document.folders, leftOut: leftOut)
            if let event = form.event(value, line) { export.events.append(event) }
            leftOut = form.leftOut
        }
        let isForeign = export.events.allSatisfy { if case .failure = $0 { true } else { false } }
        if isForeign, !export.events.isEmpty { throw .file(foreign) }
        export.events += leftOut.events
        return export
    }

    public static let foreign =
        "This is JSON, but not an export of Bitwarden: it has no \u{201C}items\u{201D} with names;"
        + " export the vault as JSON or CSV."
}

/// The parts of the document; folders may come after the items that name them.
private struct BitwardenDocument {
    private var scanner: JSONScanner
    private(set) var items: [(line: Int, value: JSONValue)] = []
    private(set) var folders: [String: String] = [:]
    private(set) var isEncrypted = false
    private var hasItems = false
    private var saysWhetherEncrypted = false

    /// Every export says whether it is encrypted; a converted one has at least a kind or a login.
    var isOfBitwarden: Bool {
        hasItems
            && (saysWhetherEncrypted
                || items.contains { $0.value["login"] != nil || $0.value["type"] != nil })
    }

    init(_ bytes: [UInt8]) { scanner = JSONScanner(bytes) }

    mutating func read() throws(JSONScanner.Problem) {
        var found = self
        defer { self = found }
        var scanner = scanner
        defer { found.scanner = scanner }
        try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
            scanner.skipSpace()
            switch name {
            case "encrypted":
                found.saysWhetherEncrypted = true
                found.isEncrypted = try scanner.value() == .bool(true)
            case "items":
                found.hasItems = true
                try scanner.array { (scanner) throws(JSONScanner.Problem) in
                    scanner.skipSpace()
                    let line = scanner.line(at: scanner.at)
                    found.items.append((line, try scanner.value()))
                }
            case "folders", "collections":
                for value in try scanner.value().elements {
                    guard let id = value["id"]?.string, let name = value["name"]?.string else {
                        continue
                    }
                    found.folders[id] = name
                }
            default: try scanner.skip()
            }
        }
        scanner.skipSpace()
        if !scanner.isAtEnd { throw scanner.problem("there is more text after the closing }") }
    }

    mutating func refusal(_ problem: JSONScanner.Problem) -> InputError {
        if isEncrypted { return .encrypted("The export of Bitwarden") }
        scanner.skipSpace()
        let line = scanner.line(at: problem.offset)
        let column = scanner.column(at: problem.offset)
        return .file(
            "The file is not complete or not an export of Bitwarden: in line \(line), column"
                + " \(column), \(problem.message); export it again."
        )
    }
}

/// Turns one item into a credential.
private struct BitwardenItem {
    let folders: [String: String]
    var leftOut: LeftOut
    private var record = CredentialRecord()
    private var remarks: [String] = []

    /// Members that are read one by one, or say nothing outside of Bitwarden.
    private static let known: Set<String> = [
        "name", "notes", "creationDate", "revisionDate", "folderId", "collectionIds", "login",
        "fields", "passwordHistory", "id", "organizationId", "type", "secureNote", "object",
        "favorite", "reprompt", "attachments", "deletedDate", "key",
    ]
    private static let secret: Set<String> = [
        "number", "code", "ssn", "passportNumber", "licenseNumber", "privateKey",
    ]

    init(folders: [String: String], leftOut: LeftOut) {
        self.folders = folders
        self.leftOut = leftOut
    }

    /// - Returns: `nil` for an item that is left out.
    mutating func event(_ item: JSONValue, _ line: Int) -> CredentialEvent? {
        guard item["name"]?.string != nil || item["login"] != nil else {
            let message = "The item has neither a name nor a login."
            return .failure(ImportProblem(line: line, message: message))
        }
        if item["deletedDate"]?.string != nil {
            leftOut.note("items in the trash")
            return nil
        }
        record.name = text(item, "name")
        record.notes = text(item, "notes")
        record.created = date(item, "creationDate")
        record.modified = date(item, "revisionDate")
        readPlaces(item)
        if let login = item["login"], login != .null { read(login: login) }
        for field in item["fields"]?.elements ?? [] { read(field: field) }
        for former in item["passwordHistory"]?.elements ?? [] {
            let day = text(former, "lastUsedDate").prefix(10)
            let name = day.isEmpty ? "former password" : "former password, until \(day)"
            record.extraFields.append(.init(name, text(former, "password"), isSecret: true))
        }
        readOthers(of: item, except: BitwardenItem.known, prefix: "")
        noteSettings(item)
        if record.takeNameIfMissing() { remarks.append("The item has no name.") }
        return .record(record, line: line, remarks: remarks)
    }

    private mutating func readPlaces(_ item: JSONValue) {
        let collections = item["collectionIds"]?.elements.compactMap(\.string) ?? []
        let ids = [item["folderId"]?.string].compactMap { $0 } + collections
        let names = ids.compactMap { folders[$0] }
        record.category = names.first ?? ""
        for name in names.dropFirst() { record.extraFields.append(.init("collection", name)) }
    }

    private mutating func read(login: JSONValue) {
        record.userID = text(login, "username")
        record.password = text(login, "password")
        let uris = login["uris"]?.elements ?? []
        let addresses = uris.compactMap { $0["uri"]?.string }.filter { !$0.isEmpty }
        record.address = addresses.first ?? ""
        for address in addresses.dropFirst() {
            record.extraFields.append(.init("uri", address))
        }
        if uris.contains(where: { $0["match"] != nil && $0["match"] != .null }) {
            leftOut.note("rules of matching addresses")
        }
        let code = text(login, "totp")
        if !code.isEmpty { record.extraFields.append(.init("totp", code, isSecret: true)) }
        let keys = login["fido2Credentials"]?.elements.count ?? 0
        if keys > 0 { leftOut.note("passkeys, which work in Bitwarden only", keys) }
        readOthers(
            of: login,
            except: [
                "username", "password", "uris", "uri", "totp", "fido2Credentials",
                "passwordRevisionDate", "autofillOnPageLoad",
            ],
            prefix: ""
        )
    }

    private mutating func read(field: JSONValue) {
        let name = text(field, "name")
        let value = text(field, "value")
        if name.isEmpty, value.isEmpty { return }
        let isHidden = field["type"] == .number("1")
        record.extraFields.append(.init(name, value, isSecret: isHidden))
    }

    /// Every other member that says something; those of an object inside it with both names, but for
    /// the parts that only some kinds of items have.
    private mutating func readOthers(of value: JSONValue, except: Set<String>, prefix: String) {
        guard case .object(let members) = value else { return }
        for member in members where !except.contains(member.name) {
            let name = prefix + member.name
            switch member.value {
            case .object:
                let isPart = ["card", "identity", "sshKey"].contains(member.name)
                readOthers(of: member.value, except: [], prefix: isPart ? "" : name + " ")
            case .array(let elements):
                for element in elements {
                    let members = [JSONMember(member.name, element)]
                    readOthers(of: .object(members), except: [], prefix: prefix)
                }
            default:
                let content = scalar(member.value)
                if content.isEmpty { continue }
                let isSecret = BitwardenItem.secret.contains(member.name)
                record.extraFields.append(.init(name, content, isSecret: isSecret))
            }
        }
    }

    /// Counts what means something in Bitwarden only.
    private mutating func noteSettings(_ item: JSONValue) {
        if item["favorite"] == .bool(true) { leftOut.note("favorites") }
        if item["reprompt"] == .number("1") { leftOut.note("questions for the master password") }
        let files = item["attachments"]?.elements.count ?? 0
        if files > 0 { leftOut.note("attached files", files) }
    }

    private func date(_ object: JSONValue, _ name: String) -> Date? {
        object[name]?.string.flatMap { ISODate.moment($0, zone: .utc) }
    }

    private mutating func text(_ object: JSONValue, _ name: String) -> String {
        guard let value = object[name] else { return "" }
        switch value {
        case .array, .object:
            // The remark does not repeat it.
            remarks.append("\u{201C}\(name)\u{201D} is not a text and was left out.")
            return ""
        default: return scalar(value)
        }
    }

    private func scalar(_ value: JSONValue) -> String {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: ""
        }
    }
}

extension JSONValue {
    /// The last member of a name, as in all readers.
    fileprivate subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    fileprivate var elements: [JSONValue] {
        guard case .array(let values) = self else { return [] }
        return values
    }
}
