import ArgumentParser
import DocketCore
import Glibc
import ObjectGraph

/// How a command ends: the message on stderr and the exit code.
enum Exit {
    static let notDone: Int32 = 1
    static let store: Int32 = 2
    static let nothingToUndo: Int32 = 3

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
        } catch is Console.BrokenPipe {
            // Who reads the beginning only, as `head` does, has all it wanted.
        } catch {
            try? Console.flush()
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
