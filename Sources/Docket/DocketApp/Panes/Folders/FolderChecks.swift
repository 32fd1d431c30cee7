import FoundationEssentials
import MarkdownFolder
import ObjectContext
import Synchronization

/// Looks whether the folders of the settings exist, on a thread of its own: a disk that does not
/// answer stops nothing.
final class FolderChecks {
    private final class Answers: Sendable {
        let found = Mutex<[Int: String?]>([:])
    }

    private let answers = Answers()
    private var thread: ContextThread?

    var hasBegun: Bool { thread != nil }

    /// Begins to look.
    ///
    /// - Parameters:
    ///   - folders: what to look at.
    ///   - wake: called on the other thread after each one.
    func begin(_ folders: [FolderSetting], wake: @escaping @Sendable () -> Void) {
        let (thread, answers) = (ContextThread(name: "folders"), answers)
        self.thread = thread
        thread.later {
            for (index, folder) in folders.enumerated() {
                let url = URL(filePath: folder.path, directoryHint: .isDirectory)
                let problem = FolderLibrary.problem(at: url)
                answers.found.withLock { $0[index] = .some(problem) }
                wake()
            }
        }
    }

    /// The answers that have arrived, by folder; each is returned once.
    func take() -> [Int: String?] {
        guard hasBegun else { return [:] }
        return answers.found.withLock { found in
            defer { found = [:] }
            return found
        }
    }
}
