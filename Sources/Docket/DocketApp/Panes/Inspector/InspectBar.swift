import DocketCore

/// Asks for a store to look into; the library itself is offered.
final class InspectBar: FileBar {
    init(_ workspace: Workspace) {
        super.init(
            "Inspect",
            text: workspace.library.path,
            placeholder: "a store: SQLite, binary, XML or text"
        )
    }

    override func accept(_ path: String, in workspace: Workspace) throws {
        try workspace.inspect(path)
    }
}
