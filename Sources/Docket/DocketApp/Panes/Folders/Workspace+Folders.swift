import DocketCore
import MarkdownFolder
import ObjectGraph
import TerminalUI

// The folders of Markdown files in the lists pane. One is shown at a time, in place of items.
extension Workspace {
    /// What the panes beside the lists show.
    var content: PaneKind.Content {
        if shownFolder != nil { return .folder }
        return items.span.map { $0.isOfMonth ? .month : .agenda } ?? .items
    }

    /// Shows a folder, and opens it if that is possible.
    func show(_ folder: FolderPlace) {
        if shownFolder !== folder { shownFolder?.library?.dropText() }
        session = session.ended
        items.show(found: nil)
        shownFolder = folder
        settleFocus()
        folder.open(wake: background.wake)
        // Where nothing tells of changes, they are seen when the folder is shown.
        if folder.library?.isWatching == false { _ = folder.catchUp() }
        folder.prepare()
        lists.select(folder)
    }

    /// Shows items again.
    func leaveFolder() {
        guard let folder = shownFolder else { return }
        folder.library?.dropText()
        shownFolder = nil
        settleFocus()
    }

    /// The focus stays where it was on the screen.
    func settleFocus() {
        focus = panes.counterpart(of: focus)
        left = panes.counterpart(of: left)
    }

    // MARK: Reasons

    /// Why nothing of a folder can be changed, one sentence; `nil` if none is shown.
    var folderIsReadOnly: String? {
        shownFolder.map {
            localized(
                "\(quoted($0.setting.name)) is a folder of files, which Docket only reads;"
                    + " change them with an editor."
            )
        }
    }

    /// Why the rows of a folder or of an agenda cannot be arranged otherwise.
    var orderIsFixed: String? {
        if items.span != nil, !items.isSearching {
            return localized("An agenda is in the order of its dates.")
        }
        return shownFolder.map { _ in
            localized("The notes of a folder are in the order of their names.")
        }
    }

    // MARK: Work

    /// Whether a folder has something to do between events.
    var hasFolderWork: Bool {
        if folders.isEmpty { return false }
        return !folderChecks.hasBegun || shownFolder?.hasSearchWork == true
    }

    /// Does a part of it: looks whether the folders exist, after the first frame; searches.
    func workOnFolders() {
        if !folderChecks.hasBegun {
            return folderChecks.begin(folders.map(\.setting), wake: background.wake)
        }
        shownFolder?.searchPart()
    }

    /// Follows changes of files, and takes what is known of the folders' state.
    ///
    /// - Returns: whether anything on the screen may have changed.
    func takeFolderChanges() -> Bool {
        var hasChanged = false
        for (index, problem) in folderChecks.take() {
            folders[index].take(problem: problem)
            hasChanged = true
        }
        for folder in folders where folder.catchUp() { hasChanged = true }
        return hasChanged
    }

    /// Copies title and text of the selected document.
    func copyDocument() throws {
        guard let folder = shownFolder, let document = folder.selectedDocument,
            let text = try folder.library?.text(of: document)
        else { return tell("There is no note here.", .warning) }
        if let problem = text.problem { return tell("\(problem)", .warning) }
        requests.append(.copy(text.text))
        tell("Copied \(quoted(document.title))")
    }
}
