import DocketCore
import ObjectGraph
import TerminalUI

// Commands in parts: one part runs between events, so that screen and keys keep working.
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

    /// Runs the next part of the running command.
    func advanceLongCommand() {
        guard let run = longRun else { return }
        do {
            if try run.command.advance() { endLongCommand(run) }
        } catch {
            // After an error the finished parts are reverted, unless reverting is what fails.
            let isTakingBack = run.command.state != .running
            run.command.cancel()
            if isTakingBack || run.command.isEnded { endLongCommand(run) }
            tell(error)
            longRun?.error = messages.text ?? ""
        }
    }

    private func endLongCommand(_ run: LongRun) {
        longRun = nil
        run.command.leave()
        close(run.bar)
        if !run.keepsMarks { items.clearTargets() }
        // The panes do not follow a million changes one by one: everything is read again.
        items.forgetResults()
        switch run.command.searchEffect {
        case .none: search.pauseFollowing(while: library.takeOverLongCommand)
        case .items(let ids):
            search.pauseFollowing(while: library.takeOverLongCommand)
            search.readAgain(ids)
        case .everything:
            search.restart()
            library.takeOverLongCommand()
        }
        markSearchStale()
        do {
            try items.refetch()
        } catch {
            tell(error)
        }
        switch run.command.state {
        case .finished: run.whenFinished(self, run.command)
        case .takenBack where !run.error.isEmpty: tell("\(run.error)", .error)
        case .takenBack:
            if let conflict = run.command.conflict {
                tell("\(library.sentence(of: conflict)); nothing was changed.", .warning)
            } else {
                tell("\(run.command.title) was undone; nothing has changed.")
            }
        case .running, .takingBack:
            tell("\(run.command.title) has stopped; the next start offers to continue.", .error)
        }
    }

    /// Asks what to do with an interrupted command, for example after a crash.
    func offerUnfinishedCommand() {
        guard !library.isReadOnly, let unfinished = library.unfinishedCommand else { return }
        if unfinished.isUnderWayElsewhere {
            return tell("\(unfinished.title) is running in another window.")
        }
        func answer(_ key: Character, _ title: String, takingBack: Bool) -> QuestionBox.Answer {
            .init(key: key, title: title) { workspace in
                guard
                    let command = try workspace.library.resume(unfinished, takingBack: takingBack)
                else { return }
                try workspace.start(command) { workspace, command in
                    workspace.tell(command.step, unchanged: "\(command.title) is finished")
                }
            }
        }
        let isBack = unfinished.phase == .takingBack
        var answers = [
            answer(
                "f",
                isBack ? localized("Undo the rest") : localized("Finish it"),
                takingBack: false
            )
        ]
        if !isBack { answers.append(answer("t", localized("Undo it"), takingBack: true)) }
        open(QuestionBox("Unfinished", "\(unfinished.title) was interrupted.", answers))
    }
}
