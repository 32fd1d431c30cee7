import ArgumentParser

/// The tool for data models: from a model to Swift, text and judgement.
@main
struct Modelgen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modelgen",
        abstract: "Work with a data model: generate Swift from it, draw it, check it.",
        subcommands: [GenerateCommand.self, ListCommand.self, CheckCommand.self]
    )
}

/// The model that a command works on.
struct ModelArgument: ParsableArguments {
    @Argument(
        help: "The model: an .xcdatamodeld or .xcdatamodel folder, or a contents file.",
        completion: .file()
    )
    var model: String

    @Option(help: "The version to use, by name. (default: the current one)")
    var version: String?
}
