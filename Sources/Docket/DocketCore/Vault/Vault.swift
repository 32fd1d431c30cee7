public import DocketFormats
public import Encryption
public import FoundationEssentials
import Glibc
import ObjectGraph
import ObjectGraphEncryption

/// The credentials, in an encrypted store of their own beside the library's.
///
/// ```
///            create                     unlock
/// missing ────────────→ unlocked ←──────────────── locked
///                           └───── lock, idle, suspend ──→
/// ```
/// All text of a credential is encrypted, its name included, and so are the names of the user's
/// categories. The labels of the categories that every vault has are not: they say nothing about
/// the user. Dates, and which credential is in which category, are not encrypted either.
///
/// While the vault is locked the process holds no key: every verb throws, whatever the interface
/// shows. The store is not opened before the first unlocking, and not created before
/// ``create(passphrase:cost:)``.
///
/// Verbs are in extensions, in files named `Vault+….swift`. A verb that throws has changed nothing.
/// Use it on one thread, that of its library.
public final class Vault {
    /// The vault's file.
    public let path: String
    let author: String
    private let isReadOnly: Bool
    /// Why the store could not be opened for writing, and is open for reading only.
    private var refusedWriting: ObjectGraphError?
    /// Counts wrong passphrases beside the store, for all processes.
    private let unlockGuard: UnlockGuard
    /// The open store; `nil` until the first unlocking.
    private(set) var store: VaultStore?
    /// The steps of others that were merged since they were last reported.
    var othersSteps: [String] = []
    /// Called when another program has changed the vault; set before unlocking.
    public var wake: (@Sendable () -> Void)? {
        didSet { store?.follower.wake = wake }
    }

    public init(path: String, author: String, isReadOnly: Bool = false) {
        self.path = path
        self.author = author
        self.isReadOnly = isReadOnly
        unlockGuard = UnlockGuard(path: path + ".unlock")
    }

    deinit { close() }

    /// The path of the vault beside a library's store: `docket-vault.sqlite` beside
    /// `docket.sqlite`.
    public static func path(beside store: String) -> String {
        store.hasSuffix(".sqlite") ? store.dropLast(7) + "-vault.sqlite" : store + "-vault"
    }

    // MARK: State

    /// Whether there is a vault.
    ///
    /// Cost: one system call.
    public var exists: Bool { store != nil || access(path, F_OK) == 0 }

    /// Whether the keys are not in memory; also true without a vault.
    public var isLocked: Bool { store?.ring.isLocked ?? true }

    /// Seconds until the next passphrase may be tried.
    public var waitingTime: Double { exists ? unlockGuard.waitingTime : 0 }

    /// The open store.
    ///
    /// - Throws: `InputError` if there is no vault, or it is locked.
    func unlocked() throws -> VaultStore {
        guard let store, !store.ring.isLocked else {
            throw exists ? Vault.locked : Vault.missing
        }
        return store
    }

    public static var locked: InputError {
        InputError(.locked, "The vault is locked; unlock it with its passphrase.")
    }

    public static var missing: InputError {
        InputError(
            .locked,
            "There is no vault yet; create one with `docket vault init`, or in the interface."
        )
    }

    // MARK: Creating

    /// Creates the vault, and leaves it unlocked; locked, if it cannot be read at once.
    ///
    /// - Parameters:
    ///   - passphrase: not empty.
    ///   - cost: of unlocking; only tests choose less.
    /// - Throws: `InputError` if there is one already; `EncryptionError` for an empty passphrase;
    ///   `ObjectGraphError` if the file cannot be written. There is no vault then.
    /// - Complexity: up to a second.
    public func create(passphrase: SecretBytes, cost: KeyDerivation.Cost = .interactive) throws {
        if exists { throw Vault.present }
        removeDrafts()
        SecretMemory.begin()
        var isDone = false
        defer { if !isDone { SecretMemory.end() } }
        let passphrase = try PassphraseForms.usual(passphrase)
        let envelope = try KeyEnvelope(passphrase: passphrase, cost: cost)
        // Under another name until it is complete, so that a crash leaves no vault without keys.
        let draft = "\(path)\(Vault.draftSuffix)\(getpid())"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) } }
        let made = try VaultStore(path: draft, author: author, isReadOnly: false, envelope)
        try made.ring.unlock(passphrase: passphrase)
        try made.seed()
        made.close()
        VaultTransformers.forget(made.ring)
        // Not over another vault, which somebody may have created meanwhile.
        guard link(draft, path) == 0 || (errno != EEXIST && moveWithoutLinks(draft)) else {
            if errno == EEXIST { throw Vault.present }
            throw InputError(
                .malformed,
                "The vault \"\(path)\" cannot be created: \(String(cString: strerror(errno)))."
            )
        }
        // It is there, so what fails from here on is not its creation.
        isDone = (try? open().unlock(passphrase: passphrase)) != nil
    }

    private static let draftSuffix = ".new-"

    /// Removes what processes that were killed while they created a vault have left.
    private func removeDrafts() {
        let file = URL(filePath: path)
        let folder = file.deletingLastPathComponent()
        let start = file.lastPathComponent + Vault.draftSuffix
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(start) {
            let number = name.dropFirst(start.count).prefix { $0.isNumber }
            guard let process = Int32(number), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    /// Moves a new vault to its place on a file system that has no links.
    private func moveWithoutLinks(_ draft: String) -> Bool {
        let code = errno
        guard [EPERM, ENOTSUP, ENOSYS].contains(code), access(path, F_OK) != 0 else {
            errno = code
            return false
        }
        return rename(draft, path) == 0
    }

    private static var present: InputError {
        InputError(.conflict, "There is a vault already; unlock it with its passphrase.")
    }

    // MARK: Unlocking and locking

    /// Unlocks the vault.
    ///
    /// - Throws: `EncryptionError` with code `wrongPassphrase`, or `tooManyAttempts` with the
    ///   waiting time, without trying; `InputError` without a vault; `ObjectGraphError` if the file
    ///   cannot be read. The vault is locked then.
    /// - Returns: the form of the passphrase that opens the vault.
    /// - Complexity: up to a second, chosen when the passphrase was set; three times that for a wrong
    ///   passphrase with accents.
    @discardableResult
    public func unlock(passphrase: SecretBytes) throws -> SecretBytes {
        guard exists else { throw Vault.missing }
        SecretMemory.begin()
        do {
            let ring = try open()
            return try unlockGuard.attempt { try Vault.open(ring, passphrase) }
        } catch {
            if isLocked { SecretMemory.end() }
            throw error
        }
    }

    private static func open(_ ring: KeyRing, _ passphrase: SecretBytes) throws -> SecretBytes {
        let forms = try PassphraseForms.all(passphrase)
        for (place, form) in forms.enumerated() {
            do {
                try ring.unlock(passphrase: form)
                return form
            } catch let error as EncryptionError
                where error.code == .wrongPassphrase && place < forms.count - 1
            {}
        }
        return passphrase
    }

    /// Opens the store if it is closed; the keys are those that it has now.
    private func open() throws -> KeyRing {
        if let store {
            // Another process may have changed the passphrase.
            store.ring.replaceEnvelope(try VaultStore.envelope(at: path))
            // Another vault may have been opened since.
            VaultTransformers.use(store.ring)
            return store.ring
        }
        if !isReadOnly { removeDrafts() }
        let store = try openStore()
        store.follower.wake = wake
        self.store = store
        return store.ring
    }

    /// Opens the store; for reading only where the disk leaves no room even for the index of a log,
    /// so that credentials can be read on a full disk.
    private func openStore() throws -> VaultStore {
        refusedWriting = nil
        do {
            return try VaultStore(path: path, author: author, isReadOnly: isReadOnly)
        } catch let error as ObjectGraphError where !isReadOnly && error.isOfWriting {
            guard let reader = try? VaultStore(path: path, author: author, isReadOnly: true) else {
                throw error
            }
            refusedWriting = error
            return reader
        }
    }

    /// Checks, before a change, that the store could be opened for writing.
    ///
    /// - Throws: the error of that opening.
    func requireWritable() throws {
        if let refusedWriting { throw refusedWriting }
    }

    /// Zeroes the keys and forgets every object; nothing if the vault is locked.
    ///
    /// Call ``SecretMemory/end()`` when the strings that were shown are released.
    public func lock() {
        guard let store, !store.ring.isLocked else { return }
        store.ring.lock()
        store.context.reset()
    }

    /// Locks the vault and closes its file.
    public func close() {
        guard let store else { return }
        lock()
        VaultTransformers.forget(store.ring)
        store.close()
        self.store = nil
    }

    /// Checks that no other vault of this process was opened later, whose keys texts would get.
    func requireOwnKeys() throws {
        let store = try unlocked()
        guard VaultTransformers.isUsing(store.ring) else {
            throw InputError(.locked, "Another vault was opened in this process; lock it first.")
        }
    }

    // MARK: Unsaved texts

    /// What the unsaved texts of a form are encrypted for.
    private static let unsaved = "Form.unsaved"

    /// Encrypts texts with the vault's keys, to keep them in memory while it is locked.
    ///
    /// - Throws: `InputError` while locked.
    public func seal(_ texts: [String]) throws -> Data {
        try EncryptedTransformer(unlocked().ring, for: Vault.unsaved)
            .data(for: .array(texts.map { .string($0) }))
    }

    /// The texts that ``seal(_:)`` has encrypted.
    ///
    /// - Throws: `InputError` while locked; `ObjectGraphError` if the vault has other keys now.
    public func open(_ sealed: Data) throws -> [String] {
        let value = try EncryptedTransformer(unlocked().ring, for: Vault.unsaved).value(for: sealed)
        guard case .array(let texts) = value else { return [] }
        return texts.map { if case .string(let text) = $0 { text } else { "" } }
    }

    // MARK: Passphrase

    /// Changes the passphrase: the same keys, encrypted for the new one.
    ///
    /// The envelope is one value and written in one transaction: after a crash either the old
    /// passphrase or the new one opens the vault. If another process has changed it meanwhile,
    /// nothing changes.
    ///
    /// - Throws: as ``unlock(passphrase:)``; `EncryptionError` for an empty new passphrase.
    /// - Complexity: up to three seconds.
    public func changePassphrase(
        from old: SecretBytes,
        to new: SecretBytes,
        cost: KeyDerivation.Cost = .interactive
    ) throws {
        guard new.count > 0 else {
            throw InputError(.malformed, "An empty passphrase protects nothing; type another one.")
        }
        let old = try unlock(passphrase: old)
        let new = try PassphraseForms.usual(new)
        try change(new) { try $0.changingPassphrase(from: old, to: new, cost: cost) }
    }

    /// Writes another envelope for the keys, in one transaction, and uses it.
    ///
    /// - Parameters:
    ///   - passphrase: opens the new envelope.
    ///   - make: makes it of the present one.
    /// - Throws: `InputError` if another process has changed the keys meanwhile; these do not change then.
    func change(_ passphrase: SecretBytes, _ make: (KeyEnvelope) throws -> KeyEnvelope) throws {
        let store = try unlocked()
        try requireWritable()
        let before = store.ring.envelope
        let changed = try make(before)
        try VaultTurn.hold(path) {
            guard try VaultStore.envelope(at: path) == before else {
                throw InputError(
                    .conflict,
                    "The keys were changed elsewhere at this moment; try again."
                )
            }
            try store.write(changed)
        }
        try store.ring.adopt(changed, passphrase: passphrase)
    }
}

/// One process at a time changes the keys.
private enum VaultTurn {
    static func hold(_ path: String, _ body: () throws -> Void) throws {
        let file = open(path + ".unlock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { if file >= 0 { close(file) } }
        // Without a file to lock, as in a folder that is read-only, writing the keys fails too.
        if file >= 0 { flock(file, LOCK_EX) }
        try body()
    }
}
