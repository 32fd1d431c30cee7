import CChildProcess
import Glibc

/// The changes of a folder's files, counted: a test that ends a program in the middle of its work
/// chooses the moment by them, not by a time.
package final class FolderChanges {
    private let watch: Int32

    /// Counts from now on; first waits while the other tests use all instances of inotify.
    ///
    /// - Throws: ``ChildProcessError`` if the folder cannot be watched.
    package init(_ folder: String) throws {
        var watch = folder_watch(folder)
        while watch < 0, errno == EMFILE {
            sched_yield()
            watch = folder_watch(folder)
        }
        self.watch = watch
        if watch < 0 { throw ChildProcessError(description: "\(folder) cannot be watched") }
    }

    deinit { close(watch) }

    /// Waits until so many files were made, written to, renamed or removed, or a program has ended.
    ///
    /// - Returns: how many changes there were; fewer than asked for if the program ended first.
    /// - Throws: ``ChildProcessError`` if neither happened for two minutes.
    @discardableResult
    package func wait(for count: Int, orEndOf process: ChildProcess) throws -> Int {
        let seen = folder_await(watch, process.identifier, Int32(clamping: count))
        if seen < 0 {
            throw ChildProcessError(description: "the folder did not change any more")
        }
        return Int(seen)
    }
}
