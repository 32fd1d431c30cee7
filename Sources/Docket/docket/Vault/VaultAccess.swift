import ArgumentParser
import DocketCore
import DocketFormats
import Encryption
import FoundationEssentials

/// The options of every command that opens the vault.
struct VaultAccess: ParsableArguments {
    @OptionGroup var store: StoreLocation

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the passphrase; - for standard input, fd:N for an open "
                + "descriptor.",
            discussion: "Without it the passphrase is asked for on the terminal.",
            valueName: "file"
        )
    )
    var passphraseFile: String?

    /// The passphrase of the vault.
    func passphrase(_ prompt: String = "Passphrase of the vault: ") throws -> SecretBytes {
        SecretMemory.begin()
        return try passphraseFile.map { try TypedSecret.read($0) } ?? TypedSecret.ask(prompt)
    }

    /// A new passphrase, which is typed twice on a terminal.
    func newPassphrase(from file: String?) throws -> SecretBytes {
        SecretMemory.begin()
        return try TypedSecret.new(from: file)
    }

    /// Opens the library and unlocks its vault, for the time of `body`.
    ///
    /// The keys are zeroed afterwards, whatever happens.
    func withVault(
        _ purpose: StoreLocation.Purpose,
        _ body: (Vault, Library) throws -> Void
    ) throws {
        let library = try store.open(purpose)
        defer { library.close() }
        let vault = library.vault
        guard vault.exists else { throw Vault.missing }
        try vault.checkWaiting()
        defer { vault.close() }
        try vault.unlock(passphrase: passphrase())
        try body(vault, library)
    }

    func withVault(_ purpose: StoreLocation.Purpose, _ body: (Vault) throws -> Void) throws {
        try withVault(purpose) { vault, _ in try body(vault) }
    }
}

extension Vault {
    /// Refuses before the passphrase is asked for, while there is a waiting time.
    fileprivate func checkWaiting() throws {
        let seconds = Int(waitingTime.rounded(.up))
        guard seconds > 0 else { return }
        throw InputError(
            .locked,
            "The passphrase was wrong several times. Try again in \(seconds) "
                + "second\(seconds == 1 ? "" : "s")."
        )
    }
}
