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
/// | name of the folder, or of the first collection | category |
/// | `fields` | extra fields; hidden ones are secret |
/// | `creationDate`, `revisionDate` | created, modified |
/// | members of `card` and `identity` | extra fields; number and code of a card are secret |
///
/// An item of another shape is reported with its line, and the others are read. After an error of
/// the JSON itself the rest of the file is unknown: what comes before it is returned.
package struct BitwardenReader {
    private var events: ArraySlice<CredentialEvent> = []

    /// Reads a whole file.
    ///
    /// - Complexity: O(bytes), in time and memory.
    package init(_ bytes: [UInt8]) {
        if let problem = CredentialLimits.problem(ofSize: bytes.count) {
            events = [.failure(problem)]
            return
        }
        var document = Document(bytes)
        events = document.read()[...]
    }

    /// The next credential or problem; `nil` at the end.
    package mutating func next() -> CredentialEvent? { events.popFirst() }
}

/// The parts of the document; folders may come after the items that name them.
private struct Document {
    private var scanner: JSONScanner
    private var items: [(line: Int, value: JSONValue)] = []
    private var folders: [String: String] = [:]
    private var isEncrypted = false
    private var hasItems = false

    init(_ bytes: [UInt8]) { scanner = JSONScanner(bytes) }

    mutating func read() -> [CredentialEvent] {
        var failure: CredentialEvent?
        do {
            try readAll()
        } catch {
            failure = problem(error)
        }
        if scanner.isNotUTF8 { return [.failure(.notUTF8(line: 1))] }
        if isEncrypted {
            return [
                fail(1, "The export is encrypted: export it again as JSON without encryption.")
            ]
        }
        if !hasItems, failure == nil {
            failure = fail(
                1,
                "This is not an export of Bitwarden: it has no \u{201C}items\u{201D}."
            )
        }
        let events = items.map { ItemForm(folders: folders).event($0.value, line: $0.line) }
        return events + (failure.map { [$0] } ?? [])
    }

    private mutating func readAll() throws(JSONScanner.Problem) {
        var items: [(line: Int, value: JSONValue)] = []
        var folders: [String: String] = [:]
        var isEncrypted = false
        var hasItems = false
        defer {
            self.items = items
            self.folders = folders
            self.isEncrypted = isEncrypted
            self.hasItems = hasItems
        }
        try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
            scanner.skipSpace()
            switch name {
            case "encrypted":
                isEncrypted = try scanner.value() == .bool(true)
            case "items":
                hasItems = true
                try scanner.array { (scanner) throws(JSONScanner.Problem) in
                    scanner.skipSpace()
                    let line = scanner.line(at: scanner.at)
                    items.append((line, try scanner.value()))
                }
            case "folders", "collections":
                guard case .array(let values) = try scanner.value() else { return }
                for value in values {
                    guard let id = value["id"]?.string, let name = value["name"]?.string else {
                        continue
                    }
                    folders[id] = name
                }
            default: try scanner.skip()
            }
        }
        scanner.skipSpace()
        if !scanner.isAtEnd { throw scanner.problem("there is more text after the closing }") }
    }

    private mutating func problem(_ problem: JSONScanner.Problem) -> CredentialEvent {
        let line = scanner.line(at: problem.offset)
        let column = scanner.column(at: problem.offset)
        return fail(
            line,
            "This is not valid JSON: at column \(column), \(problem.message). The rest of the file was"
                + " not read."
        )
    }

    private func fail(_ line: Int, _ message: String) -> CredentialEvent {
        .failure(ImportProblem(line: line, message: message))
    }
}

/// Turns one item into a credential.
private struct ItemForm {
    let folders: [String: String]
    private var record = CredentialRecord()
    private var remarks: [String] = []

    init(folders: [String: String]) { self.folders = folders }

    func event(_ item: JSONValue, line: Int) -> CredentialEvent {
        var form = self
        return form.read(item, line)
    }

    private mutating func read(_ item: JSONValue, _ line: Int) -> CredentialEvent {
        guard case .object = item else {
            return .failure(ImportProblem(line: line, message: "The item is not an object."))
        }
        record.name = text(item, "name")
        record.notes = text(item, "notes")
        record.created = date(item, "creationDate")
        record.modified = date(item, "revisionDate")
        let collections = item["collectionIds"]?.elements.compactMap(\.string) ?? []
        let ids = [item["folderId"]?.string].compactMap { $0 } + collections
        record.category = ids.compactMap { folders[$0] }.first ?? ""
        if let login = item["login"], login != .null { read(login: login) }
        for field in item["fields"]?.elements ?? [] { read(field: field) }
        if let card = item["card"] { readMembers(card, secret: ["number", "code"]) }
        if let identity = item["identity"] {
            readMembers(identity, secret: ["ssn", "passportNumber", "licenseNumber"])
        }
        if record.name.isEmpty {
            record.name = record.address.isEmpty ? "Without a name" : record.address
            remarks.append("The item has no name.")
        }
        return .record(record, line: line, remarks: remarks)
    }

    private mutating func read(login: JSONValue) {
        record.userID = text(login, "username")
        record.password = text(login, "password")
        let addresses = (login["uris"]?.elements ?? []).compactMap { $0["uri"]?.string }
        record.address = addresses.first ?? ""
        for address in addresses.dropFirst() {
            record.extraFields.append(.init("uri", address))
        }
        let code = text(login, "totp")
        if !code.isEmpty { record.extraFields.append(.init("totp", code, isSecret: true)) }
        if let keys = login["fido2Credentials"]?.elements, !keys.isEmpty {
            remarks.append("Its passkey was left out: it works in Bitwarden only.")
        }
    }

    private mutating func read(field: JSONValue) {
        let name = text(field, "name")
        let value = text(field, "value")
        if name.isEmpty, value.isEmpty { return }
        let isHidden = field["type"] == .number("1")
        record.extraFields.append(.init(name, value, isSecret: isHidden))
    }

    private mutating func readMembers(_ value: JSONValue, secret: Set<String>) {
        guard case .object(let members) = value else { return }
        for member in members {
            let content = plainText(member.value, member.name)
            if content.isEmpty { continue }
            let isSecret = secret.contains(member.name)
            record.extraFields.append(.init(member.name, content, isSecret: isSecret))
        }
    }

    private func date(_ object: JSONValue, _ name: String) -> Date? {
        object[name]?.string.flatMap { ISODate.moment($0, zone: .utc) }
    }

    private mutating func text(_ object: JSONValue, _ name: String) -> String {
        object[name].map { plainText($0, name) } ?? ""
    }

    /// The text of a scalar; what is none is left out, with a remark that does not repeat it.
    private mutating func plainText(_ value: JSONValue, _ name: String) -> String {
        switch value {
        case .null: return ""
        case .string(let text): return text
        case .number(let text): return text
        case .bool(let flag): return flag ? "true" : "false"
        case .array, .object:
            remarks.append("\u{201C}\(name)\u{201D} is not a text and was left out.")
            return ""
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
