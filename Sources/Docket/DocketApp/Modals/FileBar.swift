import DocketCore
import DocketFormats
import Glibc
import TerminalUI

/// Asks for a file that exists, and says what is at the path, as far as it is written.
class FileBar: InputBar {
    override init(_ label: Phrase, text: String = "", placeholder: Phrase = "") {
        super.init(label, text: text, placeholder: placeholder)
        field.offer()
        show()
    }

    /// Called with the file's path; its error leaves the bar open.
    func accept(_ path: String, in workspace: Workspace) throws {}

    override func textDidChange(in workspace: Workspace) throws { show() }

    private var path: String { UserPath.expanded(field.text) }

    private func show() {
        var status = stat()
        let text: String
        if field.text.isEmpty {
            text = ""
        } else if stat(path, &status) != 0 {
            text = localized("there is no such file")
        } else {
            switch status.st_mode & S_IFMT {
            case S_IFREG: text = HistoryPolicy.size(Int(status.st_size))
            case S_IFDIR: text = localized("a folder")
            default: text = localized("not a file of a disk")
            }
        }
        preview = .plain(text, .dim)
    }

    override func accept(in workspace: Workspace) throws {
        if field.text.isEmpty { throw InputError(.malformed, "The file needs a name; write one.") }
        try accept(path, in: workspace)
        workspace.close(self)
    }
}
