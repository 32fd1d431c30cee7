import ObjectGraph

/// The place of an entry below the root of a folder, in the bytes that the file system has.
///
/// Names of files are bytes: they need not be UTF-8, and two names that differ in bytes only (`é`
/// as one or as two characters) are two files, although Swift's strings count as equal. So objects
/// are compared by bytes, and texts are for the eye.
struct EntryPath: Hashable, Sendable {
    /// The names with slashes between; empty for the root.
    let bytes: [UInt8]

    static let root = EntryPath(bytes: [])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The path of a text such as `recipes/soup.md`.
    ///
    /// - Returns: `nil` for a path that an entry cannot have.
    init?(text: String) { self.init(checking: Array(text.utf8)) }

    /// A path from outside, such as from the URI of an object.
    ///
    /// - Returns: `nil` for one that leads out of the root, to something hidden, or to nothing.
    private init?(checking bytes: [UInt8]) {
        let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isRoot = bytes.isEmpty
        guard isRoot || names.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: ".") }),
            !bytes.contains(0)
        else { return nil }
        self.bytes = bytes
    }

    func appending(_ name: [UInt8]) -> EntryPath {
        EntryPath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
    }

    /// The folder that it is in; `nil` for the root.
    var parent: EntryPath? {
        if bytes.isEmpty { return nil }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
        return EntryPath(bytes: Array(bytes[..<slash]))
    }

    /// How many folders are between it and the root.
    var depth: Int { bytes.count { $0 == UInt8(ascii: "/") } }

    /// The last name.
    var nameBytes: ArraySlice<UInt8> {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    }

    /// The last name as a text; bytes that are not UTF-8 are replaced.
    var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// The whole path as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: As a reference object

    /// What the store calls the entry: the bytes, in characters of which no two are equal.
    var reference: ReferenceObject {
        if bytes.isEmpty { return .text(".") }
        var text = ""
        for byte in bytes {
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return .text(text)
    }

    /// - Returns: `nil` for a reference that ``reference`` does not make.
    init?(_ reference: ReferenceObject) {
        guard case .text(let text) = reference else { return nil }
        if text == "." {
            self = .root
            return
        }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        self.init(checking: bytes)
    }
}
