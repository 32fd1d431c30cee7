import ArgumentParser
import DocketCore
import FoundationEssentials

/// `docket`: the interface without arguments, else one of the subcommands.
@main
struct Docket: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docket",
        abstract: "Tasks and notes in the terminal.",
        discussion: """
            Without a subcommand it opens the interface. Items are named by their short ID, which \
            never changes, or by the beginning of their UUID.

            Exit codes: 0 done; 1 not done, the message says why; 2 the store cannot be opened or \
            written; 3 nothing to undo or redo; 64 the command line is wrong.
            """,
        version: "0.1.0",
        subcommands: [
            Add.self, ListItems.self, Show.self, Done.self, Undone.self, Edit.self, Move.self,
            Trash.self, Restore.self, Search.self, Undo.self, Redo.self, History.self,
            Export.self, Import.self,
        ])

    @OptionGroup var store: StoreOptions

    @Option(name: .customLong("export"), help: "Write all items in a format and leave.")
    var exportFormat: String?

    func run() throws {
        try Exit.onFailure {
            if let exportFormat {
                try Export.write(
                    format: exportFormat, matching: nil, to: nil, library: store.open())
            } else {
                try Interface.run(store)
            }
        }
    }
}

/// Where the items are; every subcommand takes it.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The store's file.",
            discussion: "Default: $DOCKET_STORE, else $XDG_DATA_HOME/docket/docket.sqlite.",
            valueName: "path"))
    var path: String?

    /// The store's file, as the option, the environment or the XDG rules say.
    var url: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path, !path.isEmpty { return URL(filePath: StoreOptions.expanded(path)) }
        if let path = environment["DOCKET_STORE"], !path.isEmpty {
            return URL(filePath: StoreOptions.expanded(path))
        }
        let home = environment["HOME"] ?? "."
        // Relative paths in XDG variables are to be ignored.
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(home)/.local/share"
        return URL(filePath: "\(data)/docket/docket.sqlite")
    }

    private static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return (ProcessInfo.processInfo.environment["HOME"] ?? "~") + path.dropFirst()
    }

    /// Opens the library, making the default folder if it is missing.
    func open(author: String = "shell") throws -> Library {
        let url = url
        if path == nil, ProcessInfo.processInfo.environment["DOCKET_STORE"] == nil {
            try? FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let zone = ZoneRules.local(environment: ProcessInfo.processInfo.environment)
        let library = try Library(url: url, author: author) {
            DateContext(now: Date(), zone: zone)
        }
        if library.hasUnfinishedImport {
            Console.warn(
                "An import was cut off. Import the same file again to complete it, or take it "
                    + "back with `docket undo`.")
        }
        return library
    }
}
