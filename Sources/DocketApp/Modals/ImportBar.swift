import DocketCore
import Glibc
import TerminalUI

/// Asks for a file, and imports its items while the window stays in use.
final class ImportBar: InputBar {
    init() {
        super.init("Import", placeholder: "a file: JSON, Taskwarrior's JSON or todo.txt")
        show()
    }

    override func textDidChange(in workspace: Workspace) throws { show() }

    private var path: String { UserPath.expanded(field.text) }

    /// Says what the file is, as far as it is written.
    private func show() {
        var status = stat()
        if field.text.isEmpty || stat(path, &status) != 0 {
            preview = .plain(field.text.isEmpty ? "" : "there is no such file", .dim)
        } else if status.st_mode & S_IFMT == S_IFDIR {
            preview = .plain("a folder", .dim)
        } else {
            preview = .plain(HistoryPolicy.size(Int(status.st_size)), .dim)
        }
    }

    override func accept(in workspace: Workspace) throws {
        if field.text.isEmpty { throw InputError(.malformed, "The file needs a name; write one.") }
        try workspace.startImport(of: path)
        workspace.close(self)
    }
}
