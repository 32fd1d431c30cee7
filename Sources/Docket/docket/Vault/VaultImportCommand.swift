public import ArgumentParser
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc

struct VaultImportCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import credentials of another password manager, in one step of undo.",
        discussion: """
            Formats: bitwarden (JSON), keepass (XML of KeePass 2 or KeePassXC), csv (Bitwarden, \
            KeePassXC, 1Password, Firefox, Chrome, LastPass, Apple Passwords, pass2csv, and other \
            tables with clear names of columns), pass (a decrypted entry, or a folder of them). \
            Without --format the content decides; a single entry of pass needs --format or --name.

            Folders become categories. What has no field of its own goes into the notes; what is left \
            out is named. A credential with the same name, user id and address is the same one: it \
            gets the values that it does not have, and others only if the file says that they are \
            newer. A file that is not complete changes nothing. Docket writes nothing in plain text; \
            the file itself stays, so remove it afterwards.
            """
    )

    @OptionGroup var access: VaultAccess
    @Option(help: "bitwarden, keepass, csv or pass.") var format: CredentialFormat?
    @Option(help: "The name of an entry of pass that comes from standard input.") var name: String?
    @Flag(help: "Let the values of the file replace others in any case.") var overwrite = false
    @Argument(help: "A file, a folder of decrypted entries of pass, or - for standard input.")
    var file: String

    func perform() throws {
        try access.withVault(.writing) { vault in
            let result = try vault.importCredentials(read(), overwrites: overwrite)
            for remark in result.remarks { Console.note(remark) }
            if result.hasFailed {
                throw InputError(.malformed, "\(result.sentence); nothing was changed.")
            }
            try Console.print(result.sentence)
            if file != "-", result.added + result.updated > 0 {
                Console.note(
                    "\(Console.shown(file)) still has the credentials in plain text; remove it."
                )
            }
        }
    }

    private func read() throws -> CredentialExport {
        var status = stat()
        if file != "-", stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            return try folder()
        }
        let bytes = try SecretFile.read(file)
        if ByteSource(bytes).isAgeFile {
            throw InputError(
                .malformed,
                "\(Console.shown(file)) is encrypted in the age format; import it with"
                    + " `age --decrypt FILE | docket vault import --passphrase-file PATH -`."
            )
        }
        let isTable = file.lowercased().hasSuffix(".csv")
        let content = name == nil ? CredentialFormat(of: bytes, isTable: isTable) : .pass
        let path = name ?? (file == "-" ? "" : URL(filePath: file).lastPathComponent)
        if format == .pass, path.isEmpty {
            throw InputError(.badReference, "An entry of pass needs a name; give it with --name.")
        }
        guard let format = format ?? content else {
            // Says what is wrong with what no format has: nothing, or bytes that are not text.
            _ = try CredentialFormat.pass.read(bytes, path: path.isEmpty ? "-" : path)
            throw InputError(
                .unknownFormat,
                "\(Console.shown(file)) is not an export that Docket knows; give its --format, or the"
                    + " --name of an entry of pass."
            )
        }
        return try format.read(bytes, path: path.droppingTextSuffix)
    }

    /// The entries of a folder, in the order of their names.
    private func folder() throws -> CredentialExport {
        var export = CredentialExport("pass")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: file).sorted()
        for path in paths where !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            var status = stat()
            guard stat("\(file)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            if path.hasSuffix(".gpg") {
                export.events.append(
                    .remark("\(Console.shown(path)) is encrypted by gpg and was left out.")
                )
                continue
            }
            let bytes = try SecretFile.read("\(file)/\(path)")
            do {
                export.events += try CredentialFormat.pass.read(
                    bytes,
                    path: path.droppingTextSuffix
                ).events
            } catch {
                let problem = ImportProblem(line: 1, message: "\(Console.shown(path)): \(error)")
                export.events.append(.failure(problem))
            }
        }
        return export
    }
}

extension String {
    fileprivate var droppingTextSuffix: String { hasSuffix(".txt") ? String(dropLast(4)) : self }
}

// The type is ours too; the module that declares it parses no arguments.
// swift-format-ignore: AvoidRetroactiveConformances
extension CredentialFormat: @retroactive ExpressibleByArgument {}

/// Reads a file with secrets into memory; never a copy on the disk.
enum SecretFile {
    /// The largest that is read.
    private static let largest = 64 << 20

    static func read(_ path: String) throws -> [UInt8] {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw InputError.unreadable(path, errno) }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw InputError.unreadable(path, errno)
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
}
