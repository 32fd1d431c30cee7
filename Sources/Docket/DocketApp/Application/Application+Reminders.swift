import CivilTime
import DocketCore
import FoundationEssentials
import TerminalUI

// Reminders are announced once for each store, by whichever program is first: a message that stays
// until a key, the bell, the title of the terminal, and a notification of the desktop.

extension Application {
    /// Reminds of open tasks from now on.
    ///
    /// - Parameter folder: where all programs of the user note what was announced; `nil` if there is
    ///   no place for it.
    public func remind(noting folder: String?) {
        reminders = ReminderMark(of: workspace.library, in: folder)
    }

    /// Reminds of what has come; returns when the next reminder comes.
    func announceReminders() -> Date? {
        guard let reminders else { return nil }
        let library = workspace.library
        do {
            // Until the next one comes there is nothing to look for.
            let now = library.clock().now
            if let last = reminders.last, last <= now {
                let next = try library.nextReminder(after: last)
                guard let next, next <= now else { return next }
            }
            try reminders.announce(of: library) { due in
                let context = library.clock()
                tell(due, context)
                if settings.ringsForReminders { device.ring() }
                device.setTitle(due.count == 1 ? due[0].title : localized("\(due.count) reminders"))
                isReminding = true
                if settings.notifiesDesktop {
                    notify(due.map { ($0.title, $0.words(context)) })
                }
                return true
            }
            return try library.nextReminder(after: library.clock().now)
        } catch {
            workspace.tell(error)
            return nil
        }
    }

    private func tell(_ due: [DueReminder], _ context: DateContext) {
        let titles = due.prefix(3).map { "\"\($0.title)\"" }.joined(separator: ", ")
        let more = due.count > 3 ? localized(" and \(due.count - 3) more") : ""
        let what =
            due.count == 1
            ? localized("Reminder: \(titles), \(due[0].words(context))")
            : localized("\(due.count) reminders: \(titles)\(more)")
        let keys: [(String, Phrase)] = [
            ("go.reminders", "shows it"), ("item.remindAgain", "again in 10 min"),
        ]
        let hints = keys.compactMap { id, words in
            let key = workspace.key(id)
            return key.isEmpty ? nil : "\(key) \(localized(words))"
        }
        workspace.reminded = due.map(\.id)
        workspace.messages.show(
            ([what] + hints).joined(separator: " \(workspace.look.signs.separator) "),
            .warning,
            at: .now,
            staysUntilKey: true
        )
        isStale = true
    }

    /// The title of the terminal is the program's again.
    func endReminding() {
        // The first key of a sequence leaves it to the rest what the message is about.
        if workspace.prefix.isEmpty { workspace.reminded = [] }
        guard isReminding else { return }
        isReminding = false
        device.setTitle("Docket")
    }
}
