import ArgumentParser
import ObjectModel
import ObjectModelFile

struct AddRequestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-request",
        abstract: "Add a fetch request template, or replace it.",
        discussion: "modelgen add-request Docket.xcdatamodeld DueBefore Task 'due < $DATE'"
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The name of the request.") var name: String
    @Argument(help: "The entity that it fetches.") var entity: String
    @Argument(help: "The predicate, with $VARIABLES. (default: everything)") var predicate: String?
    @Option(help: "The greatest number of results; 0 for all.") var limit = 0

    func run() throws {
        var request = FetchDescription(entityName: entity)
        request.predicate = try predicate.map { try FetchPredicate(format: $0) }
        request.limit = limit
        try source.edit { try $0.setFetchRequest(request, named: name) }
    }
}

struct AddFetchedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-fetched",
        abstract: "Add a fetched property to an entity.",
        discussion:
            "modelgen add-fetched Docket.xcdatamodeld List.late Task 'list == $FETCH_SOURCE'"
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The entity and the new name: List.late.") var path: PropertyArgument
    @Argument(help: "The entity that it fetches.") var entity: String
    @Argument(help: "The predicate; $FETCH_SOURCE is the object.") var predicate: String?

    func run() throws {
        var request = FetchDescription(entityName: entity)
        request.predicate = try predicate.map { try FetchPredicate(format: $0) }
        let property = FetchedPropertyDescription(path.property, request)
        try source.edit { try $0.add(property, to: path.entity) }
    }
}

struct AddConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-configuration",
        abstract: "Add a configuration with some entities, or replace it."
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The name of the configuration.") var name: String
    @Argument(help: "Its entities.") var entities: [String]

    func run() throws {
        try source.edit { try $0.setConfiguration(entities, named: name) }
    }
}
