import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

extension Application {
    /// Lets the window exchange the library with servers.
    ///
    /// - Parameters:
    ///   - state: the folder where notes say how exchanges have ended; `nil` if there is none.
    ///   - start: starts one.
    public func synchronize(noting state: String?, by start: @escaping SyncStarter) {
        workspace.sync.folder = state
        workspace.sync.starter = start
    }

    /// Whether an exchange goes on when the window ends.
    public var isSynchronizing: Bool { workspace.sync.isRunning }

    /// Reads for the first time how exchanges have ended.
    func readSync() {
        whenServersAreSet()
        workspace.sync.read(settings.syncs)
        if !settings.syncs.isEmpty { workspace.conflicts.begin() }
        workspace.tellSyncFailures()
        isStale = true
    }

    /// After the window was woken: exchanges that have ended.
    func takeSyncNews() {
        if !workspace.hasServers { return }
        if workspace.sync.isRead, workspace.sync.read(settings.syncs) {
            isStale = true
            workspace.tellSyncFailures()
        }
        if let (end, known) = workspace.sync.takeEnd(settings.syncs) {
            workspace.tell(end, known)
            isStale = true
        }
    }
}

extension Workspace {
    var hasServers: Bool { !settings.syncs.isEmpty || sync.isRunning }

    /// Whether the notes of exchanges are to be read.
    var hasSyncWork: Bool { !sync.isRead && !settings.syncs.isEmpty }

    /// Why nothing can be exchanged.
    var cannotSynchronize: String? {
        if library.isOnServer {
            return localized("A library in a database is not synchronized; its server shares it.")
        }
        if let readOnly { return readOnly }
        if sync.starter == nil { return localized("The items of the tour are not synchronized.") }
        return settings.syncs.isEmpty
            ? localized("No server is set; \"docket help sync\" in a shell says how.") : nil
    }

    func synchronize() throws {
        if sync.isRunning { return tell("Synchronizing is under way") }
        try sync.start(wake: background.wake)
        let names = settings.syncs.map { name(of: $0.name) }.listed(localized("and"))
        tell("Synchronizing with \(names)")
    }

    private func name(of server: String) -> String {
        DisplayWidth.truncate(DisplayWidth.singleLine(server), to: 20, symbols: look.symbols)
    }

    // MARK: Messages

    /// Tells what others have tried in vain, by a timer or in a shell.
    func tellSyncFailures() {
        let failures = sync.takeFailures()
        if failures.isEmpty { return }
        tellSync(failures.map { sentence(of: $0) }, .warning)
    }

    /// Tells how the window's own exchange has ended.
    fileprivate func tell(_ end: SyncEnd, _ known: [SyncState.Known]) {
        var sentences = known.map { sentence(of: $0) }
        let ends = known.compactMap(\.note?.end)
        if sentences.isEmpty || (!end.isDone && !ends.contains { $0 != .done }) {
            let complaint = end.complaint.map(Phrase.step)
            sentences.append(complaint ?? localized("docket sync has ended without a result."))
            return tellSync(sentences, .warning)
        }
        if ends.contains(.failed) { return tellSync(sentences, .warning) }
        let hasPulled = known.contains { known in
            known.note.map { $0.inserted + $0.updated + $0.deleted > 0 } ?? false
        }
        let step = try? library.undoSteps(limit: 1).first?.name
        let key = self.key("history.undo")
        if hasPulled, step?.hasPrefix("Synchronized with ") == true, !key.isEmpty {
            sentences.append(localized("\(key) undoes"))
        }
        tellSync(sentences, ends.contains(.offline) ? .info : .success)
    }

    /// What went wrong in the background is shown until a key.
    private func tellSync(_ sentences: [String], _ kind: MessageBar.Kind) {
        messages.show(
            sentences.joined(separator: " \(look.signs.separator) "),
            kind,
            at: .now,
            for: .seconds(10),
            staysUntilKey: kind == .warning
        )
    }

    /// `home: 3 sent, 2 new`.
    private func sentence(of known: SyncState.Known) -> String {
        let server = name(of: known.server)
        guard let note = known.note else { return server }
        switch note.end {
        case .offline: return localized("\(server) is not reached; what is new goes out next time")
        case .failed:
            let line = DisplayWidth.singleLine(note.problem)
            return line.isEmpty
                ? localized(
                    "\(server): not everything was sent, because the server changes it too."
                )
                : "\(server): \(Phrase.step(line))"
        case .done:
            let parts: [String?] = [
                note.sent == 0 ? nil : localized("\(note.sent) sent"),
                note.inserted == 0 ? nil : localized("\(note.inserted) new"),
                note.updated == 0 ? nil : localized("\(note.updated) changed"),
                note.deleted == 0 ? nil : localized("\(note.deleted) deleted"),
                note.conflicts == 0 ? nil : localized("\(note.conflicts) in conflict"),
            ]
            let words = parts.compactMap(\.self).joined(separator: ", ")
            return "\(server): \(words.isEmpty ? localized("nothing has changed") : words)"
        }
    }

    // MARK: The title line

    /// What somebody has to know: that it runs, that it failed, that there is something to decide.
    var urgentSyncStatus: [String] {
        guard hasServers else { return [] }
        var parts: [String] = []
        if sync.isRunning {
            parts.append(localized("synchronizing"))
        } else {
            let failed = sync.known.filter { $0.note?.end == .failed }
            if failed.count == 1 {
                parts.append(localized("\(name(of: failed[0].server)) not synchronized"))
            } else if failed.count > 1 {
                parts.append(localized("\(failed.count) servers not synchronized"))
            }
        }
        let count = conflicts.count
        if count > 0 { parts.append(localized("\(count) in conflict")) }
        return parts
    }

    /// When all servers had everything.
    var quietSyncStatus: [String] {
        if settings.syncs.isEmpty || sync.folder == nil || !sync.isRead || sync.isRunning {
            return []
        }
        let isOffline = sync.known.contains { $0.note?.end == .offline }
        let dates = sync.known.map(\.note?.done)
        let done = dates.compactMap(\.self).min()
        let offline = isOffline ? [localized("offline")] : []
        guard let done, !dates.contains(nil) else {
            return offline + [localized("not synchronized yet")]
        }
        let format = DateFormat(context: library.clock())
        return offline + [localized("synchronized \(format.moment(done))")]
    }
}
