import ArgumentParser
import DocketCore
import DocketFormats
import Encryption
import Glibc
import ObjectGraph
import Synchronization

/// A subcommand; an error becomes one sentence on stderr and the documented exit code.
protocol DocketCommand: ParsableCommand {
    func perform() throws
}

extension DocketCommand {
    func run() throws { try Exit.onFailure { try perform() } }
}

/// The end of a command: the message on stderr and the exit code.
enum Exit {
    static let notDone: Int32 = 1
    static let store: Int32 = 2
    static let nothingToUndo: Int32 = 3
    /// The command was carried out, but its output could not be written.
    static let doneUntold: Int32 = 4
    /// `docket doctor` has found something that is wrong; a backup or an export has data of pages
    /// that may be damaged.
    static let unhealthy: Int32 = 5
    /// The vault is locked, does not exist, or the passphrase is wrong.
    static let locked: Int32 = 6

    /// The codes, for the help.
    static let list = """
        Exit codes: 0 done; 1 not done, the message says why; 2 the store cannot be opened or \
        written; 3 nothing to undo or redo; 4 done, but the output could not be written: do not \
        repeat the command; 5 docket doctor found something wrong, or a backup or export \
        may have damaged data; 6 the vault is locked or \
        missing, or the passphrase is wrong; 7 a server cannot be reached, or is silent; \
        64 the command line is wrong.
        """

    /// Whether something permanent was written: a save, or a complete file.
    private static var hasLasting: Bool { lasting.load(ordering: .relaxed) }
    private static let lasting = Atomic(false)

    /// Notes every save, by whichever verb and context, so that the exit code is right even if the
    /// output after it cannot be written.
    static func followSaves() {
        _ = GraphNotificationCenter.default.addObserver(of: ContextDidSave.self) { _ in
            noteWritten()
        }
    }

    static func noteWritten() { lasting.store(true, ordering: .relaxed) }

    /// Runs a command; an error becomes one sentence on stderr and the documented exit code.
    static func onFailure(_ body: () throws -> Void) throws {
        defer { Pager.finish() }
        do {
            try body()
            try Console.flushPaged()
            if hasLasting { DailyBackup.startIfDue() }
        } catch let code as ExitCode {
            try? Console.flush()
            throw code
        } catch let error as ValidationError {
            throw error
        } catch is Console.BrokenPipe where !hasLasting {
            // A reader that stops early, as `head` does, is not an error.
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
        if let error = error as? DoneBefore { return code(of: error.cause) }
        if let error = error as? InputError { return error.kind == .locked ? locked : notDone }
        if let error = error as? EncryptionError { return code(of: error) }
        guard let error = error as? ObjectGraphError else { return notDone }
        switch error.code {
        case .cannotOpen, .cannotWrite, .damagedFile, .storeTypeMismatch, .incompatibleVersion,
            .invalidStoreType, .sqlite, .timedOut, .saveFailed, .storeReplaced:
            return store
        case .valuesLocked: return locked
        default: return notDone
        }
    }

    private static func code(of error: EncryptionError) -> Int32 {
        switch error.code {
        case .wrongPassphrase, .tooManyAttempts, .locked, .noIdentity: locked
        case .file: store
        default: notDone
        }
    }
}
