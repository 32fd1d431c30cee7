import ObjectContext
import ObjectModel

/// The functions of Core Data's migration manager that value expressions call.
enum MappingFunctions {
    private static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    private static let byRelationship =
        "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    private static let sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    private static let request = "fetchRequestForSourceEntityNamed:predicateString:"

    /// Registers them, once for the process.
    static func register() { _ = registration }

    private static let registration: Void = {
        FetchFunctions.register(byMapping) { arguments in
            let (manager, name, value) = try parts(arguments)
            return members(
                try manager.destinationInstances(
                    forEntityMapping: name,
                    sourceInstances: objects(value)
                ),
                like: value
            )
        }
        FetchFunctions.register(byRelationship) { arguments in
            let (manager, _, value) = try parts(arguments)
            return members(try manager.destinations(of: objects(value), mapping: nil), like: value)
        }
        FetchFunctions.register(sources) { arguments in
            let (manager, name, value) = try parts(arguments)
            return members(
                try manager.sourceInstances(
                    forEntityMapping: name,
                    destinationInstances: objects(value)
                ),
                like: value
            )
        }
        FetchFunctions.register(request) { arguments in
            let (_, name, value) = try parts(arguments)
            var request = FetchDescription(entityName: name)
            request.includesSubentities = false
            if case .string(let text) = value {
                request.predicate = try FetchPredicate(format: text, argumentArray: [])
            }
            return .opaque(SourceRequest(request))
        }
    }()

    /// Whether an expression gives the objects that became of a source relationship's objects.
    static func isPlainRelationship(_ expression: FetchExpression?) -> Bool {
        guard
            case .call(.variable("manager"), byRelationship, let arguments)? = expression,
            arguments.count == 2, case .constant(.string(let name)) = arguments[0]
        else { return false }
        return arguments[1] == .keyPathOf(.variable("source"), name)
    }

    private static func parts(
        _ arguments: [GraphValue]
    ) throws -> (MigrationManager, String, GraphValue) {
        guard arguments.count == 3, case .object(let manager) = arguments[0],
            let manager = manager as? MigrationManager, case .string(let name) = arguments[1]
        else {
            throw ObjectGraphError(
                .cannotEvaluate,
                "a function of the migration manager has other arguments than $manager, a name and "
                    + "objects.",
                recovery: "Write FUNCTION($manager, \"…\", \"name\", $source.key)."
            )
        }
        return (manager, name, arguments[2])
    }

    private static func objects(_ value: GraphValue) -> [ManagedObject] {
        (value.elements ?? [value]).compactMap {
            if case .object(let object) = $0 { object as? ManagedObject } else { nil }
        }
    }

    /// One object for one object, a list for a list.
    private static func members(_ objects: [ManagedObject], like value: GraphValue) -> GraphValue {
        let values = objects.map { GraphValue.object($0) }
        if value.elements == nil, values.count < 2 { return values.first ?? .null }
        return .array(values)
    }
}

/// A request for source objects, as the value of an expression.
final class SourceRequest {
    let description: FetchDescription

    init(_ description: FetchDescription) { self.description = description }
}

extension FetchRequest where Result == ManagedObjectID {
    init(_ request: SourceRequest) {
        self.init(
            entityName: request.description.entityName,
            predicate: request.description.predicate
        )
        self[dynamicMember: \.includesSubentities] = request.description.includesSubentities
    }
}
