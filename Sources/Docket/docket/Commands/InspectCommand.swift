import ArgumentParser
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectModel
import StoreExploring
import TerminalUI

struct InspectCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Look into any store of Core Data's layout or of this framework.",
        discussion: """
            Shows the type, the UUID, the version and the entities of a store, with their counts, \
            attributes and relationships. The store may be an SQLite file of Core Data or of this \
            framework, or a binary, XML or text store; it may be in use, and is never changed.

            The model comes from --model, else from the file. A file without a model is described \
            as far as its tables show: names in one case, types as they are stored, and those \
            relationships that are beyond doubt.

            --rows prints the objects of one entity, one JSON object a line, in the order of their \
            numbers: objectID, entity, and a member for each stored property. Dates are in ISO 8601, \
            a to-one relationship is the ID of its object, a to-many relationship has a count and the \
            first \(StoreInspector.namedMembers) ids, and of data the number of bytes.
            """
    )

    @Argument(help: "The store's file.") var file: String
    @Flag(help: "As JSON.") var json = false
    @Option(
        help: ArgumentHelp("Print the objects of an entity as JSON lines.", valueName: "entity")
    )
    var rows: String?
    @Option(help: "With --rows: at most this many.") var limit: Int?
    @Flag(help: "With --rows: also the objects of subentities.") var subentities = false
    @Flag(help: "Browse it on the terminal: entities, objects, relationships.") var browse = false
    @Option(
        help: ArgumentHelp(
            "Its model: .xcdatamodeld, .xcdatamodel, contents, .momd or .mom.",
            valueName: "path"
        )
    )
    var model: String?

    func validate() throws {
        if file.isEmpty { throw ValidationError("The store's file needs a name.") }
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0.") }
        if browse, json || rows != nil {
            throw ValidationError("--browse goes without --json and --rows.")
        }
        if rows == nil, limit != nil { throw ValidationError("--limit needs --rows.") }
        if rows == nil, subentities { throw ValidationError("--subentities needs --rows.") }
        if rows?.isEmpty == true { throw ValidationError("--rows takes the name of an entity.") }
        if model?.isEmpty == true { throw ValidationError("--model takes the path of a model.") }
    }

    func perform() throws {
        do { try show() } catch let error as ObjectGraphError { throw error.onOneLine }
    }

    private func show() throws {
        try StoreLocation.requireFile(URL(filePath: file))
        if EncryptedBackup.isAge(file) {
            throw InputError(
                .malformed,
                "The file \"\(Console.shown(file))\" is encrypted. Decrypt it first: age -d -o STORE FILE."
            )
        }
        let models = try model.map { try ModelSource.models(at: $0) } ?? []
        let inspector = try StoreInspector(URL(filePath: file), models: models)
        if let rows { return try printObjects(of: rows, inspector) }
        if browse { return try Interface.browse(inspector) }
        let overview = try inspector.overview()
        if json { return try Console.print(InspectionJSON.value(overview)) }
        for line in InspectionText.lines(overview) { try Console.print(line) }
    }

    private func printObjects(of entity: String, _ inspector: StoreInspector) throws {
        var isFirst = true
        _ = try inspector.forEachObject(
            of: entity,
            includesSubentities: subentities,
            limit: limit ?? .max
        ) { objects in
            var bytes: [UInt8] = []
            for object in objects { InspectionJSON.append(object, to: &bytes) }
            try Console.write(bytes)
            // A reader that needs only the beginning gets it at once.
            if isFirst { try Console.flush() }
            isFirst = false
        }
    }
}

extension ObjectGraphError {
    /// The error with a message of one line, whatever characters the name of a file has.
    fileprivate var onOneLine: ObjectGraphError {
        ObjectGraphError(
            code,
            DisplayWidth.singleLine(message),
            recovery: DisplayWidth.singleLine(recovery)
        )
    }
}
