import ArgumentParser
import DocketCore
import Glibc
import ObjectGraph

/// How a command ends: the message on stderr and the exit code.
enum Exit {
    static let notDone: Int32 = 1
    static let store: Int32 = 2
    static let nothingToUndo: Int32 = 3
    /// What was asked for has happened, but who asked could not be told.
    static let doneUntold: Int32 = 4

    /// The codes, for the help.
    static let list = """
        Exit codes: 0 done; 1 not done, the message says why; 2 the store cannot be opened or \
        written; 3 nothing to undo or redo; 4 done, but the output could not be written: do not \
        repeat the command; 64 the command line is wrong.
        """

    /// Whether something has been written that lasts: a save, or a file that is complete.
    private nonisolated(unsafe) static var hasLasting = false

    /// Takes note of every save of a library, whichever verb makes it, so that the exit code says
    /// what happened also if the output cannot be written after it.
    static func follow(_ library: Library) {
        let center = NotificationCenter.default
        _ = center.addObserver(of: ContextDidSave.self, from: library.context) { _ in
            hasLasting = true
        }
    }

    /// Takes note that a file was written.
    static func noteWritten() { hasLasting = true }

    /// Runs a command; an error becomes one sentence on stderr and the documented code.
    static func onFailure(_ body: () throws -> Void) throws {
        do {
            try body()
            try Console.flush()
        } catch let code as ExitCode {
            try? Console.flush()
            throw code
        } catch let error as ValidationError {
            throw error
        } catch is Console.BrokenPipe where !hasLasting {
            // Who reads the beginning only, as `head` does, has all it wanted.
        } catch {
            try? Console.flush()
            if hasLasting, let reason = Console.whyUnwritten(error) {
                Console.fail("Done, but the output could not be written: \(reason).")
                throw ExitCode(doneUntold)
            }
            Console.fail("\(error)")
            throw ExitCode(code(of: error))
        }
    }

    private static func code(of error: any Error) -> Int32 {
        guard let error = error as? ObjectGraphError else { return notDone }
        switch error.code {
        case .cannotOpen, .cannotWrite, .damagedFile, .storeTypeMismatch, .incompatibleVersion,
            .invalidStoreType, .sqlite, .timedOut, .saveFailed, .storeReplaced:
            return store
        default: return notDone
        }
    }
}
