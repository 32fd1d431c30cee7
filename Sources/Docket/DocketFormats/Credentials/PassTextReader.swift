/// Reads an entry of the password manager pass, after decryption.
///
/// | entry | credential |
/// |---|---|
/// | path of the entry, without `.gpg` | name; the folders before it are the category |
/// | first line | password |
/// | `login:`, `user:`, `username:`, `email:` (the first of them) | user id |
/// | `url:`, `uri:`, `website:`, `site:` (the first of them) | address |
/// | other `key: value` before the first free line | extra field |
/// | `otpauth://…` | secret extra field `otp` |
/// | everything from the first free line on | notes |
///
/// Any text in UTF-8 is an entry.
public enum PassTextReader {
    private static let userKeys: Set<String> = ["login", "user", "username", "email"]
    private static let addressKeys: Set<String> = ["url", "uri", "website", "site"]
    private static let longestKey = 40

    /// The credential of one entry.
    ///
    /// - Parameters:
    ///   - path: the entry's path below the store, such as `Mail/private.gpg`.
    ///   - bytes: the decrypted text.
    /// - Returns: the credential, or why there is none.
    public static func read(path: String, _ bytes: [UInt8]) -> CredentialEvent {
        var record = CredentialRecord()
        (record.category, record.name) = place(path)
        guard !record.name.isEmpty else {
            return .failure(ImportProblem(line: 1, message: "The entry has no name."))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(.notUTF8(line: 1))
        }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        record.password = String(lines.popFirst() ?? "")
        read(lines, into: &record)
        return .record(record, line: 1, remarks: [])
    }

    /// Reads the lines behind the password: those with keys, then free text.
    public static func read(_ lines: ArraySlice<Substring>, into record: inout CredentialRecord) {
        var lines = lines
        while let line = lines.first, read(line, into: &record) { lines = lines.dropFirst() }
        while lines.last?.isEmpty == true { lines = lines.dropLast() }
        record.notes = lines.joined(separator: "\n")
    }

    private static func place(_ path: String) -> (category: String, name: String) {
        let parts = path.split(separator: "/").filter { $0 != "." }
        guard let last = parts.last else { return ("", "") }
        let name = last.hasSuffix(".gpg") ? last.dropLast(4) : last
        return (parts.dropLast().joined(separator: "/"), String(name))
    }

    /// Reads a line with a key; false for free text.
    private static func read(_ line: Substring, into record: inout CredentialRecord) -> Bool {
        if line.hasPrefix("otpauth://") {
            record.extraFields.append(.init("otp", String(line), isSecret: true))
            return true
        }
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
            !line[colon...].hasPrefix("://")
        else { return false }
        let key = line[..<colon]
        guard key.count <= longestKey, key.first?.isWhitespace == false else { return false }
        let value = line[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
        let lowered = key.lowercased()
        if userKeys.contains(lowered), record.userID.isEmpty {
            record.userID = String(value)
        } else if addressKeys.contains(lowered), record.address.isEmpty {
            record.address = String(value)
        } else {
            record.extraFields.append(.init(String(key), String(value)))
        }
        return true
    }
}
