import ArgumentParser
import DocketCore
import DocketFormats
import Encryption

struct VaultAddCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a credential; its password is asked for on the terminal.",
        discussion: """
            A password is never an argument, because other programs can read the arguments of this \
            one. From a script, pass it with --password-file, or let --generate make one. The other \
            fields of this command are arguments: for a name that nobody may see use the interface.
            """
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "What it is for: a name in one line.") var name: String
    @Option(help: "The user id.") var user = ""
    @Option(help: "Where it is used, mostly a URL.") var address = ""
    @Option(help: "A category; a new one is created.") var category = ""
    @Option(help: "Other text.") var notes = ""
    @OptionGroup var password: PasswordSource

    func perform() throws {
        try access.withVault(.writing) { vault in
            var record = CredentialRecord()
            record.name = name
            record.userID = user
            record.address = address
            record.category = category
            record.notes = notes
            record.password = try password.text(asksWithout: true) ?? ""
            try Console.print(Console.shown(vault.add(record).sentence))
        }
    }
}

struct VaultEditCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change fields of a credential.",
        discussion: """
            Fields: name, user, address, category, notes. An empty value clears one. The password \
            is changed with --password, --password-file or --generate: \
            docket vault edit bank user=anna --generate
            """
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "Its name, or words that only it has.") var name: String
    @Argument(help: "field=value.") var changes: [String] = []
    @OptionGroup var password: PasswordSource
    @Flag(name: .customLong("password"), help: "Ask for a new password.") var asksPassword = false

    func perform() throws {
        var values: [CredentialField: String] = [:]
        for change in changes {
            let (field, value) = try VaultEditCommand.parse(change)
            values[field] = value
        }
        guard !values.isEmpty || asksPassword || password.isGiven else {
            throw ValidationError("Say what to change: field=value, --password or --generate.")
        }
        try access.withVault(.writing) { vault in
            let entry = try vault.entry(named: name)
            if let text = try password.text(asksWithout: asksPassword) {
                values[.password] = text
            }
            let step = try vault.edit(entry.id, values)
            let nothing = "Nothing changed: it is like that already."
            try Console.print(step.map { Console.shown($0.sentence) } ?? nothing)
        }
    }

    private static func parse(_ text: String) throws -> (CredentialField, String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let field = CredentialField(rawValue: parts[0].lowercased()), parts.count == 2 else {
            // The text may hold a secret, so it is not repeated.
            throw InputError(
                .badReference,
                "A change is field=value; the fields are name, user, address, category and notes."
            )
        }
        if field == .password {
            throw InputError(
                .badReference,
                "A password cannot be an argument, which other programs can read; "
                    + "use --password, --password-file or --generate."
            )
        }
        return (field, String(parts[1]))
    }
}

struct VaultRemoveCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a credential; undo brings it back."
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "Its name, words that only it has, or id:NUMBER.") var name: [String]

    func perform() throws {
        try access.withVault(.writing) { vault in
            let entry = try vault.entry(named: name.joined(separator: " "))
            try Console.print(Console.shown(vault.remove(entry.id).sentence))
        }
    }
}

/// Where the password of a credential comes from.
struct PasswordSource: ParsableArguments {
    @Flag(help: "Generate a password.") var generate = false
    @Option(help: "How many characters a generated password has.") var length: Int?
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password; - for standard input, after the passphrase.",
            valueName: "file"
        )
    )
    var passwordFile: String?

    func validate() throws {
        if generate, passwordFile != nil {
            throw ValidationError("Use either --generate or --password-file.")
        }
        if let length, !PasswordGenerator.lengths.contains(length) || !generate {
            throw ValidationError("--length takes a number from 4 to 256, beside --generate.")
        }
    }

    var isGiven: Bool { generate || passwordFile != nil }

    /// The password; `nil` if none was given.
    func text(asksWithout: Bool) throws -> String? {
        if generate { return try PasswordGenerator.password(length: length ?? 20).text }
        let secret: SecretBytes
        if let passwordFile {
            secret = try TypedSecret.read(passwordFile, "password")
        } else if asksWithout {
            secret = try TypedSecret.ask("Password (empty for none): ")
        } else {
            return nil
        }
        let text = try secret.withBytes { String(validating: $0, as: UTF8.self) }
        if let text { return text }
        throw InputError(
            .malformed,
            "The password is not text in UTF-8, so it would become another one; nothing was stored."
        )
    }
}

struct VaultGenerateCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Print a new password and how hard it is to guess; the vault is not needed.",
        discussion: "The password is on standard output, its strength on standard error."
    )

    @Option(help: "How many characters.") var length: Int?
    @Option(help: "A passphrase of this many words instead.") var words: Int?
    @Flag(help: "Without symbols.") var noSymbols = false
    @Flag(help: "Without characters that look alike.") var unambiguous = false

    func validate() throws {
        if words != nil, length != nil || noSymbols || unambiguous {
            throw ValidationError(
                "--words cannot be combined with --length or kinds of characters."
            )
        }
    }

    func perform() throws {
        var characters = PasswordGenerator.Characters.all
        if noSymbols { characters.remove(.symbols) }
        if unambiguous { characters.insert(.unambiguous) }
        let made =
            try words.map { try PasswordGenerator.passphrase(words: $0) }
            ?? PasswordGenerator.password(length: length ?? 20, of: characters)
        try Console.print(made.text)
        try Console.flush()
        Console.note("\(Int(made.bits)) bits: \(PasswordStrength(bits: made.bits).grade.words)")
    }
}
