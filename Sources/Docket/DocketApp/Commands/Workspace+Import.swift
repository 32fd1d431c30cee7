import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

// Imports of the interface. The items come part after part, as saves of another program would; the
// title line says how far the import is.
extension Workspace {
    func startImport(of path: String) throws {
        if let running = importRun {
            throw InputError(.conflict, "\(running.name) is being imported; wait for its end.")
        }
        if library.isReadOnly {
            throw InputError(.conflict, "The store was opened for reading only.")
        }
        let source = try ByteSource.opening(path)
        importRun = ImportRun(
            path,
            try .recognised(name: path, beginning: source.beginning()),
            into: library.path,
            library.hooks,
            library.clock(),
            settings.backup,
            batch: importBatch,
            wake: background.wake
        )
    }

    /// How far the running import is, for the title line.
    var importStatus: String? {
        guard let run = importRun else { return nil }
        let progress = run.progress
        let share = progress.total == 0 ? "" : " \(progress.done * 100 / progress.total) %"
        return localized("importing\(share)")
    }

    /// Tells the end of an import.
    func endImportIfDone() {
        guard let run = importRun, let result = run.result else { return }
        importRun = nil
        switch result {
        case .success(let outcome) where outcome.refusal.isEmpty:
            let key = self.key("history.undo")
            let undo = key.isEmpty ? "" : localized(" \(look.signs.separator) \(key) undoes")
            tell("\(run.name): \(outcome.sentence)\(undo)", .success)
        case .success(let outcome): tell("\(run.name): \(outcome.refusal)", .warning)
        case .failure(let stop as ImportIncomplete):
            let reason = stop.cause is ImportRun.Stopped ? "" : " \(stop.cause.reason)"
            let key = self.key("history.undo")
            tell(
                "\(stop.sentence(run.name))\(reason) \(key) undoes it; another import of the same "
                    + "file completes it.",
                .warning
            )
        case .failure(let error):
            let reason = error is ImportRun.Stopped ? "" : " \(error.reason)"
            tell("Nothing of \(run.name) was imported.\(reason)", .warning)
        }
    }

    /// Stops a running import, before the program ends.
    func stopImport() {
        guard let run = importRun else { return }
        run.cancel()
        run.wait()
    }

    /// Asks before quitting during an import.
    func quit() {
        guard let run = importRun else { return requests.append(.quit) }
        open(
            QuestionBox(
                "Import",
                "\(run.name) is being imported. Another import of the same file continues it.",
                [
                    .init(key: "s", title: localized("Stop it and quit")) {
                        $0.requests.append(.quit)
                    },
                    .init(key: "o", title: localized("Only stop it")) { $0.importRun?.cancel() },
                ]
            )
        )
    }
}
