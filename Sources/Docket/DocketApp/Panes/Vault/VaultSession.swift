import CivilTime
import DocketCore
import DocketFormats
import Encryption
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// The vault as a window uses it: what is shown of it, and the times at which something ends.
///
/// Everything plain is here and in the vault's modals, so that ``Workspace/lockVault()`` can drop
/// it. Without the vault it is a few empty values; the store is not looked at.
final class VaultSession {
    /// How long a password stays on the screen and on the clipboard.
    static let shownTime = Duration.seconds(10)
    static let copiedTime = Duration.seconds(30)

    let vault: Vault
    /// After how many idle seconds the vault is locked; 0 for never.
    var lockAfter = 300
    /// What the search has found, by category and name.
    private(set) var entries: [VaultEntry] = []
    private var all: [VaultEntry] = []
    private var isStale = true
    /// The words of the search; empty without one.
    var query = "" { didSet { filter() } }
    /// A password on the screen.
    private(set) var shown: (id: ManagedObjectID, password: String, end: ContinuousClock.Instant)?
    /// When the clipboard is emptied.
    private(set) var clipboardEnd: ContinuousClock.Instant?
    /// When the vault is locked, if nothing is typed until then.
    private(set) var lockAt: ContinuousClock.Instant?
    /// Slow work, such as deriving a key: it runs after the next frame, which says so.
    var work: (() throws -> Void)?

    init(_ vault: Vault) { self.vault = vault }

    var isLocked: Bool { vault.isLocked }
    /// How many credentials there are.
    var count: Int { all.count }

    // MARK: Entries

    /// Reads the entries again before the next frame.
    func markStale() { isStale = true }

    /// - Returns: whether they were read.
    func prepare() throws -> Bool {
        guard !vault.isLocked, isStale else { return false }
        all = try vault.entries()
        isStale = false
        filter()
        return true
    }

    private func filter() {
        let words = VaultQuery(query)
        entries = words.isEmpty ? all : all.filter { words.finds($0) }
    }

    // MARK: Times

    /// Something was typed: locking waits again.
    func noteActivity() {
        lockAt = vault.isLocked || lockAfter == 0 ? nil : .now + .seconds(lockAfter)
    }

    var isIdleTooLong: Bool { lockAt.map { $0 <= .now } ?? false }

    func show(_ id: ManagedObjectID) throws {
        if shown?.id == id {
            shown = nil
            return
        }
        let password = try vault.record(id).password
        shown = (id, password, .now + VaultSession.shownTime)
    }

    func hide() { shown = nil }

    func noteCopy() {
        clipboardEnd = .now + VaultSession.copiedTime
        scheduleTick()
    }

    /// Whether the clipboard is to be emptied now; true once.
    func takeClipboardEnd(_ isEnding: Bool) -> Bool {
        guard let clipboardEnd, isEnding || clipboardEnd <= .now else { return false }
        self.clipboardEnd = nil
        return true
    }

    /// Hides a password whose time is over, and sets the next second of a countdown.
    func expire() {
        if let shown, shown.end <= .now { hide() }
        if waitsForNextAttempt, vault.waitingTime == 0 { waitsForNextAttempt = false }
        scheduleTick()
    }

    private func scheduleTick() {
        let isCounting = clipboardEnd != nil || waitsForNextAttempt
        nextTick = isCounting ? .now + .seconds(1) : nil
    }

    /// The next moment at which something ends or a countdown changes.
    var deadline: ContinuousClock.Instant? {
        [lockAt, shown?.end, clipboardEnd, nextTick].compactMap { $0 }.min()
    }

    /// The next second of a countdown.
    private var nextTick: ContinuousClock.Instant?

    /// Whether a box counts the seconds until the next attempt.
    var waitsForNextAttempt = false {
        didSet { if waitsForNextAttempt != oldValue { scheduleTick() } }
    }

    /// Words for the title line.
    var status: [String] {
        guard let clipboardEnd else { return [] }
        let seconds = Int(((clipboardEnd - .now) / .seconds(1)).rounded(.up))
        return [localized("clipboard \(max(0, seconds)) s")]
    }

    // MARK: Unsaved text

    /// A form that was open when the vault was locked; its text is encrypted by the vault's keys.
    private var unsaved: (texts: Data, form: UnsavedForm)?
    var hasUnsaved: Bool { unsaved != nil }

    func keep(_ form: UnsavedForm?) {
        guard var form, let texts = try? vault.seal(form.texts) else { return }
        form.texts = []
        unsaved = (texts, form)
    }

    /// The text of the form, once.
    ///
    /// - Throws: if the keys of the vault are others now.
    func takeUnsaved() throws -> ([String], UnsavedForm)? {
        guard let (texts, form) = unsaved else { return nil }
        unsaved = nil
        return (try vault.open(texts), form)
    }

    // MARK: Ends

    /// Zeroes the keys and drops everything plain.
    func lock() {
        vault.lock()
        entries = []
        all = []
        query = ""
        shown = nil
        lockAt = nil
        work = nil
        isStale = true
    }
}
