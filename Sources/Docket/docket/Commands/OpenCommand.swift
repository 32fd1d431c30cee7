import ArgumentParser

/// `docket open ID`: the interface, with an item selected.
struct OpenCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the interface with an item selected."
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "A short ID or a UUID.") var id: String

    func perform() throws { try Interface.run(store, for: .item(id)) }
}
