import ArgumentParser
import DocketCore
import FoundationEssentials
import Glibc

struct VaultImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import credentials of another password manager, in one step of undo.",
        discussion: """
            Formats: keepass (XML of KeePass 2 or KeePassXC), bitwarden (JSON without encryption), \
            pass (a decrypted entry, or a folder of them). Without --format the content decides.

            A credential with the same name, user id and address is the same one: it gets the \
            file's values, unless it was changed here after the file's own time of its change. \
            Folders become categories; fields without a place of their own go into the notes. \
            Docket writes nothing in plain text; the file itself stays, so remove it afterwards.
            """
    )

    @OptionGroup var access: VaultAccess
    @Option(help: "keepass, bitwarden or pass.") var format: CredentialFormat?
    @Option(help: "The name of an entry of pass that comes from standard input.") var name: String?
    @Argument(help: "A file, a folder of decrypted entries of pass, or - for standard input.")
    var file: String

    func run() throws {
        try Exit.onFailure {
            try access.withVault(.writing) { vault in
                let (events, place) = try read()
                let result = try vault.importCredentials(events, place: place)
                for remark in result.remarks.prefix(50) { Console.note(remark) }
                if result.remarks.count > 50 {
                    Console.note("… and \(result.remarks.count - 50) more")
                }
                try Console.print(result.sentence)
                if file != "-", result.added + result.updated > 0 {
                    Console.note(
                        "\(Console.shown(file)) still has the credentials in plain text; remove it."
                    )
                }
            }
        }
    }

    private func read() throws -> (events: [CredentialEvent], place: String) {
        var status = stat()
        if file != "-", stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            return (try folder(), CredentialFormat.pass.place)
        }
        let bytes = try SecretFile.read(file)
        if DocketCore.ByteSource(bytes).isAgeFile {
            throw InputError(
                .malformed,
                "\(Console.shown(file)) is encrypted in the age format; import it with"
                    + " `age --decrypt FILE | docket vault import --passphrase-file PATH -`."
            )
        }
        let format = format ?? CredentialFormat(of: bytes)
        let path = name ?? (file == "-" ? "" : URL(filePath: file).lastPathComponent)
        if format == .pass, path.isEmpty {
            throw InputError(.badReference, "An entry of pass needs a name; give it with --name.")
        }
        return (format.events(in: bytes, path: path.droppingTextSuffix), format.place)
    }

    /// The entries of a folder, in the order of their names.
    private func folder() throws -> [CredentialEvent] {
        var events: [CredentialEvent] = []
        let paths = try FileManager.default.subpathsOfDirectory(atPath: file).sorted()
        for path in paths where !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            var status = stat()
            guard stat("\(file)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            if path.hasSuffix(".gpg") {
                events.append(
                    .remark("\(Console.shown(path)) is encrypted by gpg and was left out.")
                )
                continue
            }
            let bytes = try SecretFile.read("\(file)/\(path)")
            events += CredentialFormat.pass.events(in: bytes, path: path.droppingTextSuffix)
        }
        return events
    }
}

extension String {
    fileprivate var droppingTextSuffix: String { hasSuffix(".txt") ? String(dropLast(4)) : self }
}

extension CredentialFormat: ExpressibleByArgument {}

/// Reads a file with secrets into memory; never a copy on the disk.
enum SecretFile {
    /// The largest that is read.
    private static let largest = 64 << 20

    static func read(_ path: String) throws -> [UInt8] {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path, errno) }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path, errno)
            }
            bytes.append(contentsOf: part[..<count])
            if bytes.count > largest {
                throw InputError(
                    .tooMuch,
                    "\(path) has more than \(largest >> 20) MB, which no list of passwords has."
                )
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> InputError {
        InputError(.malformed, "\(path) cannot be read: \(String(cString: strerror(code))).")
    }
}
