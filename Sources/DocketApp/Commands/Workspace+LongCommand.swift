import DocketCore
import ObjectGraph
import TerminalUI

/// A long command that is under way, and what is told when it ends.
struct LongRun {
    let command: LongCommand
    let bar: ProgressBar
    let keepsMarks: Bool
    let whenFinished: (Workspace, LongCommand) -> Void
}

// Commands in parts: between events one part is done, so the screen and the keys stay alive.
extension Workspace {
    func start(
        _ command: LongCommand,
        keepsMarks: Bool = false,
        whenFinished: @escaping (Workspace, LongCommand) -> Void
    ) throws {
        let bar = ProgressBar(command)
        let run = LongRun(
            command: command,
            bar: bar,
            keepsMarks: keepsMarks,
            whenFinished: whenFinished
        )
        if command.isWhole {
            try command.run()
            return endLongCommand(run)
        }
        longRun = run
        messages.clear()
        open(bar)
    }

    /// Does the next part of what is under way.
    func advanceLongCommand() {
        guard let run = longRun else { return }
        do {
            if try run.command.advance() { endLongCommand(run) }
        } catch {
            // What was done so far is taken back, unless that is what fails.
            let isTakingBack = run.command.state != .running
            run.command.cancel()
            if isTakingBack || run.command.isEnded { endLongCommand(run) }
            tell(error)
            run.bar.error = messages.text ?? ""
        }
    }

    private func endLongCommand(_ run: LongRun) {
        longRun = nil
        run.command.leave()
        close(run.bar)
        if !run.keepsMarks { finish() }
        // Nobody follows a million changes one by one: everything is read again.
        items.forgetResults()
        switch run.command.searchEffect {
        case .none: search.pauseFollowing(while: library.takeOverLongCommand)
        case .items(let ids):
            search.pauseFollowing(while: library.takeOverLongCommand)
            search.takeOver(ids)
        case .everything:
            search.restart()
            library.takeOverLongCommand()
        }
        undoCountIsStale = true
        if !searchText.isEmpty { searchIsStale = true }
        do {
            try items.refetch()
        } catch {
            tell(error)
        }
        switch run.command.state {
        case .finished: run.whenFinished(self, run.command)
        case .takenBack where !run.bar.error.isEmpty: tell(run.bar.error, .error)
        case .takenBack:
            if let conflict = run.command.conflict {
                tell("\(library.sentence(of: conflict)); nothing was changed.", .warning)
            } else {
                tell("\(run.command.name) was taken back; nothing is different.")
            }
        case .running, .takingBack:
            tell("\(run.command.name) has stopped; the next start offers to go on.", .error)
        }
    }

    /// Asks what becomes of a command that was cut off, by a crash for example.
    func offerUnfinishedCommand() {
        guard !library.isReadOnly, let unfinished = library.unfinishedCommand else { return }
        if unfinished.isUnderWayElsewhere {
            return tell("\(unfinished.name) is under way in another window.")
        }
        func answer(_ key: Character, _ title: String, takingBack: Bool) -> QuestionBox.Answer {
            .init(key: key, title: title) { workspace in
                guard
                    let command = try workspace.library.resume(unfinished, takingBack: takingBack)
                else { return }
                try workspace.start(command) { workspace, command in
                    workspace.tell(command.step, unchanged: "\(command.name) is finished") {
                        "Changed \($0)"
                    }
                }
            }
        }
        let isBack = unfinished.phase == .takingBack
        var answers = [answer("f", isBack ? "Take the rest back" : "Finish it", takingBack: false)]
        if !isBack { answers.append(answer("t", "Take it back", takingBack: true)) }
        open(QuestionBox("Unfinished", "\(unfinished.name) was cut off.", answers))
    }
}
