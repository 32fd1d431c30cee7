import ArgumentParser
import DocketCore
import DocketFormats
import Encryption
import Glibc

struct AgeOutputOptions: ParsableArguments {
    @Flag(help: "Encrypt the file in the age format, which `age -d` reads.") var encrypt = false

    @Option(
        help: ArgumentHelp(
            "Encrypt for the owner of this public key (age1…); may be given several times.",
            discussion: "Without it a passphrase is asked for.",
            valueName: "key"
        )
    )
    var recipient: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the passphrase; - for standard input, fd:N for a descriptor.",
            valueName: "file"
        )
    )
    var passphraseFile: String?

    func validate() throws {
        if !encrypt, !recipient.isEmpty || passphraseFile != nil {
            throw ValidationError("--recipient and --passphrase-file need --encrypt.")
        }
        if !recipient.isEmpty, passphraseFile != nil {
            throw ValidationError("Use either --recipient or a passphrase.")
        }
    }

    /// Whom to encrypt for; `nil` for a plain file.
    ///
    /// - Throws: an error for a wrong key, or if the passphrase cannot be read.
    func recipients() throws -> [AgeRecipient]? {
        if !encrypt { return nil }
        if !recipient.isEmpty { return try recipient.map { try AgeRecipient($0) } }
        SecretMemory.begin()
        return [.passphrase(try TypedSecret.new(from: passphraseFile))]
    }
}

/// The options of commands that read a file, which may be encrypted.
struct AgeInputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with secret keys of age (AGE-SECRET-KEY-1…), for an encrypted file.",
            valueName: "file"
        )
    )
    var identity: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the passphrase of an encrypted file; - for standard input.",
            valueName: "file"
        )
    )
    var passphraseFile: String?

    /// Whether an option is there.
    var isGiven: Bool { !identity.isEmpty || passphraseFile != nil }

    /// The plain document: the bytes themselves, unless they are an age file; a file that is called
    /// `.age` has to be one.
    ///
    /// - Throws: an error that says why the file does not open.
    func plain(_ source: ByteSource, of path: String) throws -> ByteSource {
        if source.isAgeFile { return try source.decrypted(with: identities()) }
        if path.lowercased().hasSuffix(".age") {
            throw InputError(
                .unknownFormat,
                "\(path) does not begin like a file in the age format: it is damaged, or not "
                    + "encrypted."
            )
        }
        return source
    }

    /// What opens an encrypted file; a passphrase is asked for if no option names anything.
    ///
    /// - Throws: an error that says why there is nothing.
    func identities() throws -> [AgeIdentity] {
        SecretMemory.begin()
        if !identity.isEmpty {
            return try identity.flatMap { try AgeInputOptions.identities(in: $0) }
        }
        let passphrase =
            try passphraseFile.map { try TypedSecret.read($0) }
            ?? TypedSecret.ask("Passphrase of the file: ")
        return [.passphrase(passphrase)]
    }

    /// The keys of a file as age-keygen writes it: one a line, comments begin with `#`.
    private static func identities(in path: String) throws -> [AgeIdentity] {
        let text = String(decoding: try SecretFile.read(path), as: UTF8.self)
        let identities = try text.split(whereSeparator: \.isNewline)
            .map { $0.filter { !$0.isWhitespace } }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .map { try AgeIdentity($0) }
        if identities.isEmpty {
            throw InputError(.badReference, "\(path) has no secret key of age.")
        }
        return identities
    }
}

/// Encrypts what is written, or hands it on as it is.
final class EncryptingOutput {
    private let sink: ([UInt8]) throws -> Void
    private let writer: AgeWriter?

    /// - Parameters:
    ///   - recipients: `nil` for a plain file.
    ///   - sink: takes what is to be in the file.
    /// - Throws: `EncryptionError`, and what the sink throws.
    init(for recipients: [AgeRecipient]?, _ sink: @escaping ([UInt8]) throws -> Void) throws {
        self.sink = sink
        writer = try recipients.map { try AgeWriter(to: ClosureSink(sink), for: $0) }
    }

    func write(_ bytes: [UInt8]) throws {
        guard let writer else { return try sink(bytes) }
        try bytes.withUnsafeBytes { try writer.write($0) }
    }

    /// Ends the file, which is incomplete without it.
    func finish() throws { try writer?.finish() }
}

/// Encrypting and decrypting files that exist.
enum AgeCopy {
    /// Encrypts a file to another place, where it appears complete or not at all.
    static func encrypt(_ plain: Int32, to path: String, for recipients: [AgeRecipient]) throws {
        let output = try OutputFile(path)
        try AgeFile.encrypt(
            from: DescriptorStream(plain),
            to: ClosureSink { try output.write($0) },
            for: recipients
        )
        try output.finish()
    }

    /// Decrypts a file to another place, where it appears complete or not at all.
    static func decrypt(_ path: String, to plain: String, with identities: [AgeIdentity]) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw InputError.unreadable(path, errno) }
        defer { close(file) }
        let output = try OutputFile(plain)
        try AgeFile.decrypt(
            from: DescriptorStream(file),
            to: ClosureSink { try output.write($0) },
            with: identities
        )
        try output.finish()
    }
}
