public import DocketCore
import ObjectGraph

extension Application {
    /// Shows the saves of other programs from now on, whenever the terminal is woken.
    public func follow(_ library: Library) {
        isFollowing = true
        library.follower.wake = wake
        looksAtInput = !library.follower.isWatching
    }

    func takeExternalChanges() {
        if !isFollowing { return }
        do {
            try workspace.library.mergeOthers()
            let steps = workspace.library.takeOthersSteps()
            guard let last = steps.last else { return }
            isStale = true
            workspace.items.isStale = true
            workspace.items.subtasks.forget()
            workspace.items.dependencies.forget()
            // Whoever follows all rows is told of each task.
            if workspace.items.results == nil { workspace.noteTimes() }
            // Time entries are not objects of this window.
            workspace.timer.markStale()
            workspace.conflicts.markStale()
            // The title line tells about the window's own import.
            if workspace.importRun != nil { return }
            // So does the end of its own exchange.
            if workspace.sync.isRunning, last.hasPrefix("Synchronized with ") { return }
            let count = steps.count + (workspace.news?.steps ?? 0)
            let more = count > 1 ? localized(" and \(count - 1) more") : ""
            let news: Phrase = "Changed elsewhere: \(Phrase.step(last))\(more)"
            workspace.news = (news.text, count)
        } catch {
            isStale = true
            workspace.tell(error)
        }
    }
}
