import ArgumentParser
import ObjectModel
import ObjectModelFile

struct AddRelationshipCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-relationship",
        abstract: "Add a relationship to an entity, and its inverse to the other.",
        discussion: """
            modelgen add-relationship Docket.xcdatamodeld List.tasks Task --to-many \\
                --delete-rule Cascade --inverse list

            An inverse that the destination does not have yet is added: to one, unless \
            --inverse-to-many is given.
            """
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The entity and the new name: List.tasks.") var path: PropertyArgument
    @Argument(help: "The entity that it leads to.") var destination: String
    @Option(help: "The name of the inverse relationship.") var inverse: String?
    @Option(help: "Nullify, Cascade, Deny or No Action. (default: Nullify)")
    var deleteRule = "Nullify"
    @Option(help: "The delete rule of an inverse that is added. (default: Nullify)")
    var inverseDeleteRule = "Nullify"
    @Option(help: "The least number of destinations.") var minimum = 0
    @Option(
        help: "The greatest number of destinations of a to-many relationship; 0 for any number."
    )
    var maximum = 0
    @Flag(help: "It leads to several.") var toMany = false
    @Flag(help: "Its destinations have an order.") var ordered = false
    @Flag(help: "At least one destination is required.") var required = false
    @Flag(help: "An inverse that is added leads to several.") var inverseToMany = false

    func run() throws {
        let relationship = RelationshipDescription(
            path.property,
            to: destination,
            inverse: inverse,
            toMany: toMany,
            ordered: ordered,
            optional: !required,
            deleteRule: try rule(deleteRule)
        )
        relationship.minCount = minimum
        if toMany { relationship.maxCount = maximum }
        try source.edit { file in
            let known = inverse.flatMap { name in
                file.model.entity(named: destination)?.ownProperties.first { $0.name == name }
            }
            guard let inverse, known == nil else {
                return try file.add(relationship, to: path.entity)
            }
            let other = RelationshipDescription(
                inverse,
                to: path.entity,
                toMany: inverseToMany,
                deleteRule: try rule(inverseDeleteRule)
            )
            try file.add(relationship, to: path.entity, inverse: other)
        }
    }

    private func rule(_ name: String) throws -> DeleteRule {
        let names = DeleteRule.allCases.map(\.editorName)
        let known = names.first { $0.lowercased() == name.lowercased() }
        if let rule = known.flatMap({ DeleteRule(editorName: $0) }) { return rule }
        throw ValidationError(
            "\"\(name)\" is not a delete rule; the rules are: \(names.joined(separator: ", "))."
        )
    }
}
