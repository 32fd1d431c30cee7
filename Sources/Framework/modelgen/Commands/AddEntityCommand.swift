import ArgumentParser
import ObjectModel
import ObjectModelFile

struct AddEntityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-entity",
        abstract: "Add an entity to a model."
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The name of the entity.") var name: String
    @Option(help: "The parent entity.") var parent: String?
    @Option(name: .customLong("class"), help: "The class. (default: the entity's name)")
    var className: String?
    @Flag(help: "Make it abstract: without objects of its own.") var abstract = false
    @Option(help: "Attributes whose values together are unique, separated by commas.")
    var unique: [String] = []

    func run() throws {
        try source.edit { file in
            try file.addEntity(name, parent: parent, isAbstract: abstract, className: className)
            file.model.entity(named: name)?.uniquenessConstraints = unique.map {
                $0.split(separator: ",").map(String.init)
            }
        }
    }
}
