import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads tables (CSV) of other password managers, by the names of their columns.
///
/// A table is of a known program if it has that program's columns. Another one is read if its names
/// are clear: a password, a name or an address, and no two columns for the same. The order of the
/// columns, upper and lower case, a byte order mark, the kind of line end, and the separator (comma,
/// semicolon or tab) do not matter. What has no field of its own is kept as an extra field with the
/// column's name.
enum CredentialTable {
    /// What a column has.
    private enum Role: Hashable {
        case name, user, password, address, category, notes
        case code, lines, created, modified
        /// A setting of the other program, which is counted and left out.
        case setting
        /// Says something only if it is set.
        case mark
    }

    private static let roles: [String: Role] = [
        "name": .name, "title": .name,
        "username": .user, "user name": .user, "user": .user, "login": .user, "login name": .user,
        "login_username": .user, "user id": .user, "userid": .user,
        "password": .password, "login_password": .password,
        "url": .address, "uri": .address, "website": .address, "web site": .address,
        "address": .address, "login_uri": .address,
        "group": .category, "group(/)": .category, "folder": .category, "collections": .category,
        "category": .category, "grouping": .category,
        "notes": .notes, "note": .notes, "comments": .notes, "extra": .notes,
        "totp": .code, "login_totp": .code, "otpauth": .code, "otp": .code,
        "created": .created, "timecreated": .created,
        "last modified": .modified, "timepasswordchanged": .modified,
        "fields": .lines,
        "favorite": .setting, "fav": .setting, "reprompt": .setting, "icon": .setting,
        "archived": .mark, "guid": .setting, "timelastused": .setting, "timesused": .setting,
    ]

    /// The columns by which a program's export is recognized; `others` are the only ones beside them.
    private struct Program {
        let title: String
        let columns: [String]
        var others: Set<String>?
    }

    private static let bitwarden = "Bitwarden CSV"
    private static let keePassXC = "KeePassXC CSV"
    private static let pass = "pass CSV"

    /// The first that fits is meant.
    private static let programs = [
        Program(title: bitwarden, columns: ["name", "login_username", "login_password"]),
        Program(
            title: keePassXC,
            columns: ["group", "title", "username", "password", "url", "notes"]
        ),
        Program(title: pass, columns: ["group(/)", "title", "password"]),
        Program(
            title: "1Password CSV",
            columns: ["title", "url", "username", "password", "otpauth", "archived"]
        ),
        Program(
            title: "Apple Passwords CSV",
            columns: ["title", "url", "username", "password", "notes", "otpauth"]
        ),
        Program(
            title: "Firefox CSV",
            columns: ["url", "username", "password", "httprealm", "formactionorigin"]
        ),
        Program(
            title: "LastPass CSV",
            columns: ["url", "username", "password", "extra", "grouping"]
        ),
        Program(
            title: "Chrome CSV",
            columns: ["name", "url", "username", "password"],
            others: ["note"]
        ),
    ]

    // MARK: Header

    /// Whether the first line is that of a table of passwords: among at least two columns is one with
    /// a known name.
    static func hasHeader(_ bytes: [UInt8]) -> Bool {
        let end = bytes.firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
        guard let header = try? rows(bytes[..<end]).first, header.count > 1 else { return false }
        return header.contains { roles[key($0.text)] != nil }
    }

    private static func key(_ text: String) -> String {
        text.lowercased().trimmingSpace
    }

    private static func rows(
        _ bytes: ArraySlice<UInt8>
    ) throws(CSVRows.Problem) -> [[CSVRows.Field]] {
        var table = CSVRows(bytes: Array(bytes), separator: nil)
        var rows: [[CSVRows.Field]] = []
        while let row = try table.next() {
            rows.append(row)
            table.width = rows[0].count
        }
        return rows
    }

    /// The program, or `CSV` for a table with clear names.
    private static func title(of header: [CSVRows.Field]) throws(InputError) -> String {
        let columns = header.map { key($0.text) }
        for role in [Role.name, .user, .password, .address, .category, .notes] {
            let same = columns.filter { roles[$0] == role }
            if same.count > 1 {
                throw .file(
                    "The columns \(quoted(same)) would be the same field; rename all but one of"
                        + " them."
                )
            }
        }
        let all = Set(columns)
        let program = programs.first { program in
            all.isSuperset(of: program.columns)
                && program.others?.isSuperset(of: all.subtracting(program.columns)) ?? true
        }
        if let program { return program.title }
        let found = columns.map { roles[$0] }
        guard found.contains(.password), found.contains(.name) || found.contains(.address) else {
            throw unknown(header.map(\.text))
        }
        return "CSV"
    }

    private static func unknown(_ columns: [String]) -> InputError {
        // The first line of a table without names of columns has secrets.
        let known = columns.contains { roles[key($0)] != nil }
        let found =
            known ? "has the columns \(quoted(columns))" : "does not begin with names of columns"
        let programs = programs.map { "\($0.title) (\($0.columns.joined(separator: ", ")))" }
        return .file(
            "The table \(found); name them name, username, password, url, notes and folder, or"
                + " export it as one of: \(programs.joined(separator: "; "))."
        )
    }

    private static func quoted(_ columns: [String]) -> String {
        columns.map { CaptureText.quoted($0) }.joined(separator: ", ")
    }

    // MARK: Rows

    /// Reads a whole file.
    ///
    /// - Throws: `InputError` for a table that is not complete, or whose columns are not known.
    public static func read(_ bytes: [UInt8]) throws(InputError) -> CredentialExport {
        let rows: [[CSVRows.Field]]
        do throws(CSVRows.Problem) {
            rows = try self.rows(bytes[...])
        } catch {
            throw .file(
                "The file is not a complete table: in line \(error.line) \(error.reason). Export"
                    + " it again."
            )
        }
        let columns = rows.first?.map { key($0.text) } ?? []
        var export = CredentialExport(try title(of: rows.first ?? []))
        var leftOut = LeftOut()
        // The address first, which others may repeat; notes last: those of pass have other fields too.
        func rank(_ place: Int) -> Int {
            switch roles[columns[place]] {
            case .address: 0
            case .notes: 2
            default: 1
            }
        }
        let places = columns.indices.sorted { (rank($0), $0) < (rank($1), $1) }
        for row in rows.dropFirst() where row.contains(where: { !$0.text.isEmpty }) {
            var record = CredentialRecord()
            for place in places where place < row.count && !row[place].text.isEmpty {
                let (text, name) = (row[place].text, rows[0][place].text)
                put(text, roles[columns[place]], name, export.title, &record, &leftOut)
            }
            let hasName = columns.contains { roles[$0] == .name }
            if record.name.isEmpty, let host = host(of: record.address) { record.name = host }
            let isNameless = record.takeNameIfMissing() && hasName
            let remarks = isNameless ? ["The entry has no name."] : []
            export.events.append(.record(record, line: row[0].line, remarks: remarks))
        }
        export.events += leftOut.events
        return export
    }

    private static func put(
        _ text: String,
        _ role: Role?,
        _ column: String,
        _ program: String,
        _ record: inout CredentialRecord,
        _ leftOut: inout LeftOut
    ) {
        switch role {
        case .name: record.name = text
        case .user: record.userID = text
        case .password: record.password = text
        case .address: putAddresses(text, program, &record)
        case .category: putCategory(text, program, &record)
        case .notes: putNotes(text, program, &record)
        case .code: record.extraFields.append(.init("totp", text, isSecret: true))
        case .lines:
            for line in text.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                let value = parts.count > 1 ? String(parts[1]).trimmingSpace : ""
                record.extraFields.append(.init(String(parts.first ?? ""), value))
            }
        case .created: record.created = moment(text)
        case .modified: record.modified = moment(text)
        case .setting:
            if !["0", "false"].contains(text.lowercased()) { leftOut.note(column) }
        case .mark where text.lowercased() == "false": break
        case .mark, nil:
            let isKind = program == bitwarden && key(column) == "type"
            // Firefox names the site twice.
            if isKind || text == record.address { return }
            record.extraFields.append(.init(column, text))
        }
    }

    /// Bitwarden joins the addresses of an item by commas, which an address may have too.
    private static func putAddresses(
        _ text: String,
        _ program: String,
        _ record: inout CredentialRecord
    ) {
        var addresses: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isNext = addresses.isEmpty || program == bitwarden && part.contains("://")
            if isNext {
                addresses.append(String(part))
            } else {
                addresses[addresses.count - 1] += "," + part
            }
        }
        record.address = addresses.first ?? ""
        for address in addresses.dropFirst() { record.extraFields.append(.init("uri", address)) }
    }

    private static func putCategory(
        _ text: String,
        _ program: String,
        _ record: inout CredentialRecord
    ) {
        switch program {
        case keePassXC:
            // The outermost group is the database itself.
            record.category = text.split(separator: "/").dropFirst().joined(separator: "/")
        case bitwarden:
            let names = text.split(separator: ",").map { String($0).trimmingSpace }
            record.category = names.first ?? ""
            for name in names.dropFirst() {
                record.extraFields.append(.init("collection", name))
            }
        default: record.category = text
        }
    }

    private static func putNotes(
        _ text: String,
        _ program: String,
        _ record: inout CredentialRecord
    ) {
        guard program == pass else {
            record.notes = text
            return
        }
        // What follows the password in an entry of pass.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        PassTextReader.read(lines[...], into: &record)
    }

    private static func host(of address: String) -> String? {
        guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
        let host = address[start...].prefix { !"/?#".contains($0) }
        return host.isEmpty ? nil : String(host)
    }

    /// A time as text, or in milliseconds since 1970.
    private static func moment(_ text: String) -> Date? {
        if let number = Int64(text), abs(number) < 1 << 50 {
            return Date(timeIntervalSince1970: Double(number) / 1000)
        }
        return ISODate.moment(text, zone: .utc)
    }
}
