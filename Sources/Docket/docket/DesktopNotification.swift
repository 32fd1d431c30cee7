import Glibc

/// Notifications of the desktop, by the program `notify-send`.
enum DesktopNotification {
    // Safety: used by the main thread alone.
    private nonisolated(unsafe) static var running: [pid_t] = []

    /// Shows some.
    ///
    /// - Parameters:
    ///   - notices: a title and a text each.
    ///   - waits: whether to wait until they are shown.
    /// - Returns: whether all were shown, if it waits; else whether all were started.
    @discardableResult
    static func send(_ notices: [(title: String, text: String)], waits: Bool) -> Bool {
        running.removeAll { waitpid($0, nil, WNOHANG) != 0 }
        var isSent = true
        for notice in notices {
            let words = ["--app-name=Docket", "--", notice.title, escaped(notice.text)]
            if waits {
                isSent = DetachedProcess.run("notify-send", words) && isSent
            } else if let process = DetachedProcess.start(words, of: "notify-send") {
                running.append(process)
            } else {
                isSent = false
            }
        }
        return isSent
    }

    /// The text may have markup (Desktop Notifications Specification, "Markup").
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
