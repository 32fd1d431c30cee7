/// Asks for a file, and imports its items while the window stays in use.
final class ImportBar: FileBar {
    init() {
        super.init("Import", placeholder: "a file: JSON, Taskwarrior's JSON or todo.txt")
    }

    override func accept(_ path: String, in workspace: Workspace) throws {
        try workspace.startImport(of: path)
    }
}
