import DocketCore
import DocketFormats
import Encryption
import FoundationEssentials
import Glibc

/// A backup in the age format.
enum EncryptedBackup {
    /// Writes a backup of the library and encrypts it.
    ///
    /// The store's own form needs a file: it is written into the folder of backups and has no name
    /// any more when encrypting begins.
    ///
    /// - Parameters:
    ///   - library: the library.
    ///   - file: the place; without one, in the folder beside the store.
    ///   - recipients: who can open it.
    ///   - progress: gets the finished part; its error stops the backup.
    /// - Returns: the path of the encrypted file.
    /// - Throws: an error that says why there is no backup.
    static func write(
        _ library: Library,
        to file: String?,
        _ recipients: [AgeRecipient],
        _ progress: @escaping (Double) throws -> Void
    ) throws -> String {
        let path = try file ?? library.backupFolder.newEncryptedPath(at: Date())
        if file != nil, access(path, F_OK) == 0, !isAge(path) {
            throw InputError(
                .conflict,
                "The file \"\(path)\" exists and is not an encrypted backup; name another file."
            )
        }
        let plain = try library.backupFolder.temporaryPath()
        defer { unlink(plain) }
        try library.backUp(to: plain, progress: progress)
        let opened = open(plain, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw InputError.unreadable(plain, errno) }
        defer { close(opened) }
        unlink(plain)
        try AgeCopy.encrypt(opened, to: path, for: recipients)
        // The vault is encrypted by itself, and is named as that of the decrypted backup.
        try Library.backUpVault(of: library.path, beside: plainName(path))
        return path
    }

    private static func plainName(_ path: String) -> String {
        path.hasSuffix(".age") ? String(path.dropLast(4)) : path
    }

    /// The path of the vault that is copied beside a backup, encrypted or not.
    static func vaultCopy(of backup: String) -> String { Vault.path(beside: plainName(backup)) }

    /// Calls with the path of a backup in the store's own form: its own, or of an encrypted one that
    /// of a file in the folder of backups, which is removed at the end.
    ///
    /// - Throws: an error that says why it cannot be decrypted, and what the body throws.
    static func withPlainForm<Result>(
        of backup: String,
        _ folder: BackupFolder,
        _ decryption: AgeInputOptions,
        _ body: (String) throws -> Result
    ) throws -> Result {
        guard isAge(backup) else { return try body(backup) }
        let plain = try folder.temporaryPath()
        defer { unlink(plain) }
        try AgeCopy.decrypt(backup, to: plain, with: decryption.identities())
        return try body(plain)
    }

    static func isAge(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        return file >= 0 && ByteSource(file: file).isAgeFile
    }
}
