public import ObjectContext
public import ObjectModel
public import ObjectStore

/// What a document can do at the moment; several of it can hold at once.
///
/// A document without any of them is ``normal``: it is open, and can be edited and saved.
public struct DocumentState: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Open, and nothing is wrong.
    public static let normal: DocumentState = []
    /// Not open; it cannot be edited.
    public static let closed = DocumentState(rawValue: 1 << 0)
    /// Its file was removed or replaced, or another program has changed what is changed here too.
    ///
    /// Edits stay. Save the document elsewhere, save it with another merge policy, or revert it.
    public static let inConflict = DocumentState(rawValue: 1 << 1)
    /// The last save has failed; edits stay, and the next save tries again.
    public static let savingError = DocumentState(rawValue: 1 << 2)
    /// It is being closed, reverted or opened; edits are refused until that is done.
    public static let editingDisabled = DocumentState(rawValue: 1 << 3)
    /// A migration reports how far it is.
    public static let progressAvailable = DocumentState(rawValue: 1 << 4)
}

extension DocumentState: CustomStringConvertible {
    /// The states in words: `normal`, or `in conflict, saving error`.
    public var description: String {
        let names: [(DocumentState, String)] = [
            (.closed, "closed"), (.inConflict, "in conflict"), (.savingError, "saving error"),
            (.editingDisabled, "editing disabled"), (.progressAvailable, "progress available"),
        ]
        let found = names.filter { contains($0.0) }.map(\.1)
        return found.isEmpty ? "normal" : found.joined(separator: ", ")
    }
}

/// What a document is doing.
public enum DocumentActivity: String, Hashable, Sendable {
    case opening, saving, reverting, closing, copying
}

/// Everything a program shows about a document, at one moment.
public struct DocumentStatus: Sendable {
    public internal(set) var state: DocumentState = .closed
    /// `nil` while it rests.
    public internal(set) var activity: DocumentActivity?
    /// Whether something would be lost without a save.
    public internal(set) var hasUnsavedChanges = false
    /// How far a migration is, while ``DocumentState/progressAvailable`` holds.
    public internal(set) var progress: MigrationMonitor.Progress?
    /// Why it is in conflict, why the last save has failed, or why it could not be opened.
    public internal(set) var error: ObjectGraphError?
    /// How many saves have reached the store since the document was opened.
    public internal(set) var saveCount = 0

    init() {}

    func isSame(as other: DocumentStatus) -> Bool {
        state == other.state && activity == other.activity
            && hasUnsavedChanges == other.hasUnsavedChanges && progress == other.progress
            && error?.description == other.error?.description && saveCount == other.saveCount
    }
}

extension DocumentStatus: CustomStringConvertible {
    /// The status as a line for people, without private values.
    ///
    /// `Closed`, `Opening: Changing Task, 40 %`, `Unsaved changes`, `Not saved: …`.
    public var description: String {
        switch activity {
        case .opening:
            guard let progress else { return "Opening" }
            return "Opening: \(progress.phase), \(Int(progress.fraction * 100)) %"
        case .saving: return "Saving"
        case .reverting: return "Reverting"
        case .closing: return "Closing"
        case .copying: return "Saving a copy"
        case nil: break
        }
        let reason = error.map { " \($0)" } ?? ""
        if state.contains(.inConflict) { return "In conflict:\(reason)" }
        if state.contains(.savingError) { return "Not saved:\(reason)" }
        if state.contains(.closed) { return error == nil ? "Closed" : "Not open:\(reason)" }
        return hasUnsavedChanges ? "Unsaved changes" : "Saved"
    }
}

/// The status of a document has changed.
///
/// Posted to ``GraphNotificationCenter/default``, without a sender, on a thread of the framework;
/// an event loop wakes up and reads ``ManagedDocument/status``, because two changes in quick
/// succession can arrive in any order. Tasks read ``ManagedDocument/statuses`` instead.
///
///     let token = GraphNotificationCenter.default.addObserver(of: DocumentStatusDidChange.self) {
///         change in
///         if change.document === document { wakeUp() }
///     }
public struct DocumentStatusDidChange: GraphNotification, Sendable {
    public static let name: NotificationName = "DocumentStatusDidChange"

    public let document: ManagedDocument

    /// Always `nil`: it is not posted on a context's thread.
    public var sender: NoSender? { nil }
}
