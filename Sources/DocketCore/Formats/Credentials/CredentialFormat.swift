/// The files of other password managers that the vault imports.
package enum CredentialFormat: String, CaseIterable, Sendable {
    case keepass, bitwarden, pass

    /// The format of a content: XML is KeePass's, a JSON object is Bitwarden's, anything else is an
    /// entry of pass.
    package init(of bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? mark.count : 0
        switch bytes[start...].first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "<"): self = .keepass
        case UInt8(ascii: "{"): self = .bitwarden
        default: self = .pass
        }
    }

    /// What the number of an event counts.
    package var place: String { self == .keepass ? "entry" : "line" }

    /// Everything in a document.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - path: the entry's place in the store of pass, which has its name and category.
    /// - Returns: credentials, and why others could not be read, in their order.
    package func events(in bytes: [UInt8], path: String) -> [CredentialEvent] {
        var events: [CredentialEvent] = []
        switch self {
        case .keepass:
            var reader = KeePassReader(bytes)
            while let event = reader.next() { events.append(event) }
        case .bitwarden:
            var reader = BitwardenReader(bytes)
            while let event = reader.next() { events.append(event) }
        case .pass: events.append(PassTextReader.read(path: path, bytes))
        }
        return events
    }
}
