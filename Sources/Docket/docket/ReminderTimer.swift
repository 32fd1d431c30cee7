import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc

/// The user timer of systemd that runs `docket remind --notify` each minute.
enum ReminderTimer {
    private static let mark = "# Written by docket remind --install."
    private static let (service, timer) = ("docket-remind.service", "docket-remind.timer")

    /// Writes the units and starts the timer; if that fails, nothing is left.
    static func install(_ store: StoreLocation) throws {
        let folder = try folder()
        try FileManager.default.createDirectory(
            at: URL(filePath: folder),
            withIntermediateDirectories: true
        )
        var command = [try program(), "remind", "--notify"]
        if store.isNamed { command += ["--store", LibraryPlace(try store.file()).text] }
        try write(
            service,
            """
            [Unit]
            Description=Reminders of Docket

            [Service]
            Type=oneshot
            ExecStart=\(command.map(quoted).joined(separator: " "))
            SuccessExitStatus=1
            """,
            in: folder
        )
        try write(
            timer,
            """
            [Unit]
            Description=Reminders of Docket, each minute

            [Timer]
            OnCalendar=*-*-* *:*:00
            AccuracySec=1s

            [Install]
            WantedBy=timers.target
            """,
            in: folder
        )
        guard systemctl("daemon-reload"), systemctl("enable", "--now", timer) else {
            for name in [timer, service] { unlink("\(folder)/\(name)") }
            throw InputError(
                .malformed,
                "systemd does not run timers for this user, so nothing was installed; "
                    + "docket remind --watch --notify does the same as long as it runs."
            )
        }
        try Console.print("Installed \(Console.shown(folder))/\(timer); it reminds each minute.")
    }

    static func uninstall() throws {
        let folder = try folder()
        let own = [timer, service].filter { isOwn("\(folder)/\($0)") }
        if own.isEmpty {
            throw InputError(.malformed, "docket remind --install has left no timer here.")
        }
        _ = systemctl("disable", "--now", timer)
        for name in own { unlink("\(folder)/\(name)") }
        _ = systemctl("daemon-reload")
        try Console.print("Removed the timer; the interface still reminds while it is open.")
    }

    private static func systemctl(_ words: String...) -> Bool {
        DetachedProcess.run("systemctl", ["--user", "--quiet"] + words)
    }

    private static func folder() throws -> String {
        let environment = ProcessInfo.environment
        func path(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let config = path("XDG_CONFIG_HOME") ?? path("HOME").map({ "\($0)/.config" }) else {
            throw InputError(.malformed, "HOME is not set, so there is no place for the timer.")
        }
        return "\(config)/systemd/user"
    }

    private static func program() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        if count <= 0 { throw InputError(.malformed, "The path of docket itself is unknown.") }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// A word of a command line in a unit (systemd.service, "Command lines").
    private static func quoted(_ word: String) -> String {
        var text = word
        for (character, escaped) in [("\\", "\\\\"), ("\"", "\\\""), ("%", "%%"), ("$", "$$")] {
            text = text.replacing(character, with: escaped)
        }
        return "\"\(text)\""
    }

    private static func isOwn(_ path: String) -> Bool {
        (try? String(contentsOfFile: path, encoding: .utf8))?.hasPrefix(mark) == true
    }

    private static func write(_ name: String, _ text: String, in folder: String) throws {
        let path = "\(folder)/\(name)"
        if access(path, F_OK) == 0, !isOwn(path) {
            throw InputError(
                .malformed,
                "\(path) was not written by docket remind --install; move it away first."
            )
        }
        try Data("\(mark)\n\(text)\n".utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
