import ArgumentParser
import DocketCore
import FoundationEssentials
import ObjectGraph

/// `docket store`: what concerns the store as a whole.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Copy a library between a file and a database.",
        subcommands: [StoreCopyCommand.self]
    )
}

/// `docket store copy`: a library at another place.
struct StoreCopyCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a library with its history to a new store.",
        discussion: "Undo goes on in the copy; the vault and backups stay."
    )

    @Argument(
        help: ArgumentHelp("The library.", valueName: "from"),
        completion: .file()
    )
    var source: String
    @Argument(
        help: ArgumentHelp(
            "The new place: a file, or postgresql://user@host/database.",
            valueName: "to"
        ),
        completion: .file()
    )
    var destination: String

    func perform() throws {
        let (from, to) = (try StoreLocation.place(source), try StoreLocation.place(destination))
        let count = try Library.copy(from, to: to)
        let items = "\(count) item\(count == 1 ? "" : "s")"
        try Console.print("Copied \(items) to \(Console.shown(LibraryPlace(to).text))")
    }
}
