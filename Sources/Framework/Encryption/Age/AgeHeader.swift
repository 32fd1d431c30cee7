import CSodium

/// One way to the file key: for a recipient's key, or for a passphrase.
struct AgeStanza: Equatable {
    var arguments: [String]
    var body: [UInt8]

    var type: String { arguments.first ?? "" }

    var text: [UInt8] {
        var text = Array("-> \(arguments.joined(separator: " "))\n".utf8)
        let encoded = Base64.encode(body)
        var start = 0
        // The last line is shorter than 64 columns, so that it ends the stanza; it may be empty.
        repeat {
            let end = min(start + 64, encoded.count)
            text += encoded[start..<end]
            text.append(UInt8(ascii: "\n"))
            start += 64
        } while start <= encoded.count
        return text
    }
}

/// The header of an age file, version 1 (age-encryption.org/v1).
struct AgeHeader {
    var stanzas: [AgeStanza]
    /// Everything that the MAC covers.
    private var covered: [UInt8]
    private var mac: [UInt8]

    private static let firstLine = "age-encryption.org/v1"
    /// A header of seven thousand recipients is smaller.
    private static let largestSize = 1 << 20

    /// A new header for a file key.
    init(_ stanzas: [AgeStanza], fileKey: SecretBytes) throws {
        self.stanzas = stanzas
        covered = Array((Self.firstLine + "\n").utf8)
        for stanza in stanzas { covered += stanza.text }
        covered += Array("---".utf8)
        mac = try AgeKeyDerivation.mac(of: covered, fileKey: fileKey)
    }

    var text: [UInt8] {
        covered + Array(" ".utf8) + Base64.encode(mac) + Array("\n".utf8)
    }

    /// Whether the header was made by somebody who knows the file key.
    func isAuthentic(fileKey: SecretBytes) throws -> Bool {
        let expected = try AgeKeyDerivation.mac(of: covered, fileKey: fileKey)
        return sodium_memcmp(expected, mac, expected.count) == 0
    }

    // MARK: Reading

    init(from source: inout BufferedSource) throws {
        var room = Self.largestSize
        func nextLine() throws -> [UInt8] {
            guard let line = try source.line(limit: room) else {
                throw Self.invalid("a header that does not end")
            }
            room -= line.count + 1
            return line
        }
        let first = try nextLine()
        guard first == Array(Self.firstLine.utf8) else {
            if first.starts(with: Array("age-encryption.org/".utf8)) {
                throw EncryptionError(
                    .unsupported,
                    "The age file has a version other than 1.",
                    recovery: "Decrypt it with a newer program."
                )
            }
            throw EncryptionError(.invalidForm, "This is not an age file.")
        }
        stanzas = []
        covered = first + Array("\n".utf8)
        while true {
            let line = try nextLine()
            if line.starts(with: Array("---".utf8)) {
                guard line.count == 47, line[3] == UInt8(ascii: " "),
                    let mac = Base64.decode(line[4...]), mac.count == 32
                else { throw Self.invalid("a damaged last line of the header") }
                covered += Array("---".utf8)
                self.mac = mac
                break
            }
            covered += line + Array("\n".utf8)
            guard line.starts(with: Array("-> ".utf8)) else {
                throw Self.invalid("a line that does not belong into a header")
            }
            var stanza = AgeStanza(arguments: try Self.arguments(line), body: [])
            var encoded: [UInt8] = []
            while true {
                let line = try Self.bodyLine(nextLine())
                covered += line + Array("\n".utf8)
                encoded += line
                if line.count < 64 { break }
            }
            guard let body = Base64.decode(encoded) else {
                throw Self.invalid("a recipient whose body is not Base64")
            }
            stanza.body = body
            stanzas.append(stanza)
        }
        guard !stanzas.isEmpty else { throw Self.invalid("no recipients") }
        guard stanzas.count == 1 || !stanzas.contains(where: { $0.type == "scrypt" }) else {
            throw Self.invalid("a passphrase besides other recipients")
        }
    }

    private static func bodyLine(_ line: [UInt8]) throws -> [UInt8] {
        guard line.count <= 64 else { throw invalid("a line of more than 64 columns") }
        return line
    }

    private static func arguments(_ line: [UInt8]) throws -> [String] {
        let arguments = line.dropFirst(3).split(
            separator: UInt8(ascii: " "),
            omittingEmptySubsequences: false
        )
        guard arguments.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (33...126).contains($0) } })
        else { throw invalid("a recipient with a damaged line") }
        return arguments.map { String(decoding: $0, as: UTF8.self) }
    }

    static func invalid(_ what: String) -> EncryptionError {
        EncryptionError(
            .invalidForm,
            "The age file is damaged: it has \(what).",
            recovery: "Get the file again."
        )
    }
}
