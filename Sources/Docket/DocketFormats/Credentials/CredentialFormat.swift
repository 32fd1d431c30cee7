/// The files of other password managers that the vault imports.
public enum CredentialFormat: String, CaseIterable, Sendable {
    case keepass, bitwarden, csv, pass

    /// The format of a content.
    ///
    /// XML is KeePass's, JSON is Bitwarden's, a line with names of columns begins a table. It is `nil`
    /// for a content that says nothing, which may be an entry of pass.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - isTable: whether the file's name says that it is a table.
    public init?(of bytes: [UInt8], isTable: Bool) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? mark.count : 0
        switch bytes[start...].first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "<"): self = .keepass
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .bitwarden
        default:
            guard isTable || CredentialTable.hasHeader(bytes) else { return nil }
            self = .csv
        }
    }

    /// Everything in a document.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - path: the entry's place in the store of pass, which has its name and category.
    /// - Returns: the credentials, and what the file is.
    /// - Throws: `InputError` if the file as a whole is not of this format, incomplete or encrypted:
    ///   nothing of it is to be imported then. The message has no secret.
    /// - Complexity: O(bytes), in time and memory.
    public func read(_ bytes: [UInt8], path: String) throws(InputError) -> CredentialExport {
        guard bytes.count <= CredentialFormat.largest else {
            throw .file(
                "The file has more than \(CredentialFormat.largest >> 20) MB, which no list of"
                    + " passwords has; choose another one."
            )
        }
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw .file("The file is empty; export it again.")
        }
        if let line = CredentialFormat.lineThatIsNotUTF8(bytes) {
            throw .file(
                "The file is not UTF-8 text (line \(line)): it may be a database, an archive or"
                    + " encrypted; export it as CSV, JSON or XML without encryption."
            )
        }
        switch self {
        case .keepass: return try KeePassReader.read(bytes)
        case .bitwarden: return try BitwardenReader.read(bytes)
        case .csv: return try CredentialTable.read(bytes)
        case .pass:
            var export = CredentialExport("pass")
            export.events = [PassTextReader.read(path: path, bytes)]
            return export
        }
    }

    /// Bytes of a file; the largest real exports have some megabytes.
    public static let largest = 64 << 20

    private static func lineThatIsNotUTF8(_ bytes: [UInt8]) -> Int? {
        var (lines, place) = (0, bytes.startIndex)
        while place < bytes.endIndex {
            let end = bytes[place...].firstIndex(of: 10) ?? bytes.endIndex
            lines += 1
            if String(validating: bytes[place..<end], as: UTF8.self) == nil { return lines }
            place = end + 1
        }
        return nil
    }
}
