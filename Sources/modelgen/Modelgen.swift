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
