import ArgumentParser
import ObjectModelFile

struct RenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename an entity (Task) or a property (Task.title).",
        discussion: """
            References to it are renamed too, also in predicates and derivations. The old name is \
            kept as the renaming identifier, by which migration finds it.
            """
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The entity, or the entity and its property: Task.title.") var old: String
    @Argument(help: "The new name, without the entity's.") var new: String

    func run() throws {
        try source.edit { file in
            if let path = PropertyArgument(argument: old) {
                let doubts = try file.renameProperty(path.property, of: path.entity, to: new)
                for place in doubts {
                    printError(
                        "\(place) has \"\(path.property)\" in a key path that starts at a variable;"
                            + " check whether it is this property, and rename it there."
                    )
                }
            } else {
                try file.renameEntity(old, to: new)
            }
        }
    }
}

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an entity (Task), a property (Task.title), a request or a configuration.",
        discussion: "With an entity, the relationships to it and the requests for it are removed."
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "What to remove.") var name: String
    @Flag(help: "The name is a fetch request's.") var request = false
    @Flag(help: "The name is a configuration's.") var configuration = false

    func run() throws {
        try source.edit { file in
            if request {
                try file.setFetchRequest(nil, named: name)
            } else if configuration {
                try file.setConfiguration(nil, named: name)
            } else if let path = PropertyArgument(argument: name) {
                try file.removeProperty(path.property, of: path.entity)
            } else {
                for place in try file.removeEntity(name) { print("removed \(place) too") }
            }
        }
    }
}
