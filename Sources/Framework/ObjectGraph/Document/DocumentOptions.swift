public import FoundationEssentials
public import ObjectContext

/// What of a document lies on the disk.
public enum DocumentForm: Sendable {
    /// A folder: `StoreContent/persistentStore` has the objects, `AdditionalContent` what
    /// ``DocumentContent`` adds.
    case package
    /// The store's file alone.
    case file
}

/// How ``ManagedDocument`` keeps its objects.
public struct DocumentOptions: Sendable {
    public var form = DocumentForm.package
    /// The type of the store, and how it is opened and migrated.
    ///
    /// The monitor of a migration gets its progress, and can cancel it; the document reports it too.
    public var store = StoreOptions()
    /// How long nothing must have been edited before the document saves itself; `nil` = it saves
    /// when it is asked to, and when it is closed.
    public var autosaveDelay: Duration? = .seconds(2)
    /// How long edits without a pause can put an autosave off.
    public var autosaveLimit: Duration = .seconds(30)
    /// What the autosave waits with; a test gives its own.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// What happens if another program has changed the same values; by default the save fails, and
    /// the document is ``DocumentState/inConflict``.
    public var mergePolicy = MergePolicy.error
    /// Whether edits can be undone; each call of ``ManagedDocument/perform(as:_:)`` is one step.
    public var keepsUndo = true
    /// What the document has beside its objects; only in the form ``DocumentForm/package``.
    public var content: (any DocumentContent)?

    public init() {}
}

/// What a document keeps beside its objects: pictures, a preview, the place of the cursor.
///
///     struct Cover: DocumentContent {
///         let picture = Mutex(Data())
///         func readAdditionalContent(from folder: URL) throws {
///             let data = try Data(contentsOf: folder.appending(path: "cover.png"))
///             picture.withLock { $0 = data }
///         }
///         func additionalContent(for context: ManagedObjectContext) throws -> (any Sendable)? {
///             picture.withLock { $0 }
///         }
///         func writeAdditionalContent(
///             _ content: any Sendable, to folder: URL, originalContentsURL: URL?
///         ) throws {
///             let data = content as? Data ?? Data()
///             try data.write(to: folder.appending(path: "cover.png"))
///         }
///     }
///
/// Objects and content are saved together: after a crash at any point the document has the content
/// of the same save as its objects. For that, each save writes the content into a new folder, and
/// the transaction of the store names it.
///
/// The methods must not wait for the document, which may be waiting for them.
public protocol DocumentContent: Sendable {
    /// Takes over the content of a document that is opened or reverted; not called if it has none.
    ///
    /// Called on a thread of the document.
    ///
    /// - Parameter folder: what ``writeAdditionalContent(_:to:originalContentsURL:)`` has written.
    /// - Throws: any error; the document is not opened then.
    func readAdditionalContent(from folder: URL) throws

    /// The content that the next save writes; called where ``ManagedDocument/perform(as:_:)``
    /// works.
    ///
    /// - Returns: `nil` if it is as in the last save, and need not be written.
    func additionalContent(for context: ManagedObjectContext) throws -> (any Sendable)?

    /// Writes a content into an empty folder; called on a thread of the document.
    ///
    /// The document syncs the files to the disk.
    ///
    /// - Parameters:
    ///   - content: from ``additionalContent(for:)``.
    ///   - folder: the new folder.
    ///   - originalContentsURL: the folder of the last save, to link or copy files that have not
    ///     changed; `nil` if there is none.
    /// - Throws: any error; then nothing is saved, neither content nor objects.
    func writeAdditionalContent(
        _ content: any Sendable,
        to folder: URL,
        originalContentsURL: URL?
    ) throws
}

/// Which place a save is for.
public enum DocumentSaving: Sendable {
    /// A place where nothing is yet.
    case creating
    /// A place where the document is already, or another one, which is replaced.
    case overwriting
}
