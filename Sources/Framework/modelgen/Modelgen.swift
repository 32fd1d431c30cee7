import ArgumentParser

/// The tool for data models: shows, checks and edits them, and generates Swift.
@main
struct Modelgen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modelgen",
        abstract:
            "Work with a data model: create and change it, draw it, check it, generate Swift.",
        groupedSubcommands: [
            CommandGroup(
                name: "Using a model",
                subcommands: [
                    GenerateCommand.self, ModelListCommand.self, DrawCommand.self,
                    CheckCommand.self,
                ]
            ),
            CommandGroup(
                name: "Changing a model",
                subcommands: [
                    NewCommand.self, AddEntityCommand.self, AddAttributeCommand.self,
                    AddRelationshipCommand.self, AddFetchedCommand.self, AddRequestCommand.self,
                    AddConfigurationCommand.self, RenameCommand.self, RemoveCommand.self,
                ]
            ),
            CommandGroup(
                name: "Versions",
                subcommands: [
                    AddVersionCommand.self, SetCurrentCommand.self, MakeVersionedCommand.self,
                    MergeCommand.self,
                ]
            ),
        ]
    )
}
