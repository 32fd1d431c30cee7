import ArgumentParser
import DocketCore
import DocketFormats
import Glibc

struct AttachCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Attach files to an item, as links in its text.",
        discussion: """
            The files stay where they are: the text gets a line [name](path) for each. In the \
            interface, o reads the item, and Enter on the link opens the file.
            """
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID.") var id: String
    @Argument(help: "One or more files.", completion: .file()) var files: [String]
    @OptionGroup var output: ChangeOutput

    func perform() throws {
        let paths = try files.map(path)
        let library = try store.open(.writing)
        let item = try library.item(ItemReference(id))
        try output.perform(library, on: [item], already: "like that already") {
            try library.attach(paths, to: item)
        }
    }

    /// The path from the root; links in it stay as they are.
    private func path(_ file: String) throws -> String {
        guard access(file, F_OK) == 0 else {
            throw InputError(
                .badReference,
                "The file \"\(CaptureText.cleanLine(file))\" cannot be read:"
                    + " \(String(cString: strerror(errno)))."
            )
        }
        if file.hasPrefix("/") { return file }
        guard let folder = getcwd(nil, 0) else { return file }
        defer { free(folder) }
        let start = String(cString: folder)
        return (start.hasSuffix("/") ? start : start + "/") + file
    }
}
