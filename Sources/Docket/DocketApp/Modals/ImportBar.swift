import DocketFormats
import Phrases

/// Asks for a file, and imports its items while the window stays in use.
final class ImportBar: FileBar {
    init() {
        let formats = ExchangeFormat.imported.map(\.words).listed(localized("or"))
        super.init("Import", placeholder: "a file: \(formats)")
    }

    override func accept(_ path: String, in workspace: Workspace) throws {
        try workspace.startImport(of: path)
    }
}
