import DocketCore
import FoundationEssentials
import MarkdownFolder
import ObjectGraph
import TerminalUI

/// A folder of Markdown files in the lists pane: its state, and its rows while it is open.
///
/// It is opened when it is first shown. From then on ``catchUp()`` follows the files. A folder that
/// is missing has a ``problem`` and is tried again whenever it is shown.
///
/// Split by concern: `+Search`, `+Rows`.
final class FolderPlace {
    let setting: FolderSetting
    /// Why it cannot be shown, one sentence.
    private(set) var problem: String?
    private(set) var library: FolderLibrary?
    private var root: ManagedObjectID?
    var list = ListView()
    private(set) var lines: [FolderLine] = []
    /// How many documents are in the folder itself; `nil` before it is listed.
    private(set) var count: Int?
    private var unfolded: Set<ManagedObjectID> = []
    private var isStale = false
    /// The words that the rows have to have.
    var searchText = ""
    /// The running search; it stays when it is done, with the documents that it has listed.
    var search: FolderSearch?
    /// What the search has found so far; `nil` without one.
    var found: [ManagedObjectID]? { didSet { isStale = true } }

    /// Where documents whose text was read for it have the words.
    var findings: [ManagedObjectID: ItemRow.Finding?] = [:]

    init(_ setting: FolderSetting) { self.setting = setting }

    /// What the lists pane says at the right of the name.
    var state: String {
        problem != nil ? localized("missing") : count.map { $0 == 0 ? "" : "\($0)" } ?? ""
    }

    // MARK: Opening

    /// Opens and lists the folder, unless it is open.
    ///
    /// - Parameter wake: called on another thread when files have changed.
    func open(wake: @escaping @Sendable () -> Void) {
        guard library == nil else { return }
        do {
            let opened = try FolderLibrary(
                url: URL(filePath: setting.path, directoryHint: .isDirectory),
                wake: wake
            )
            let folder = try opened.root()
            _ = try opened.entries(of: folder)
            library = opened
            root = folder.objectID
            problem = nil
            isStale = true
        } catch {
            close(because: error)
        }
    }

    /// Takes what a look at the disk found before the folder was opened.
    func take(problem found: String?) {
        if library == nil { problem = found }
    }

    private func close(because error: any Error) {
        problem = (error as? ObjectGraphError)?.message ?? "\(error)"
        library?.close()
        library = nil
        lines = []
        count = nil
        endSearch()
        list.update(count: 0)
    }

    /// Brings the rows up to date with the files.
    ///
    /// - Returns: whether anything on the screen may have changed.
    func catchUp() -> Bool {
        guard let library else { return false }
        do {
            guard try library.catchUp() else { return false }
            isStale = true
            if isSearching { try restartSearch() }
        } catch {
            close(because: error)
        }
        return true
    }

    // MARK: Lines

    /// Makes the lines again if something has changed; the selection stays on its entry.
    func prepare() {
        guard isStale, let library, let root else { return }
        isStale = false
        let selected = selectedLine?.id
        var made: [FolderLine] = []
        if let found {
            made = found.map { FolderLine(id: $0) }
        } else {
            add(root, depth: 0, library, to: &made)
            count = made.count { $0.depth == 0 && !$0.isFolder }
        }
        lines = made
        list.update(
            count: made.count,
            selection: selected.flatMap { id in made.firstIndex { $0.id == id } }
        )
    }

    private func add(
        _ folder: ManagedObjectID,
        depth: Int,
        _ library: FolderLibrary,
        to lines: inout [FolderLine]
    ) {
        guard let folder = library.context.object(with: folder) as? Folder,
            let rows = try? library.entries(of: folder)
        else { return }
        for id in rows.objectIDs {
            let isFolder = id.entityName == Folder.entityName
            let isUnfolded = isFolder && unfolded.contains(id)
            lines.append(
                FolderLine(id: id, depth: depth, isFolder: isFolder, isUnfolded: isUnfolded)
            )
            if isUnfolded { add(id, depth: depth + 1, library, to: &lines) }
        }
    }

    var selectedLine: FolderLine? {
        list.selection.flatMap { lines.indices.contains($0) ? lines[$0] : nil }
    }

    func entry(_ line: FolderLine) -> FolderEntry? {
        library?.context.object(with: line.id) as? FolderEntry
    }

    /// The selected document.
    var selectedDocument: Document? { selectedLine.flatMap { entry($0) as? Document } }

    /// Unfolds the selected folder, which lists it, or folds it.
    ///
    /// - Throws: an error for the user if it cannot be listed.
    func toggleFold() throws {
        guard let line = selectedLine, line.isFolder, let library,
            let folder = entry(line) as? Folder
        else { return }
        if unfolded.remove(line.id) != nil {
            library.stopFollowing(line.id)
        } else {
            _ = try library.entries(of: folder)
            unfolded.insert(line.id)
        }
        isStale = true
    }

    func foldAll() {
        for folder in unfolded { library?.stopFollowing(folder) }
        unfolded = []
        isStale = true
    }
}
