import CivilTime
import DocketFormats
public import FoundationEssentials

/// The properties of a task as Taskwarrior 3 stores them: texts by name.
public typealias TaskProperties = [String: String]

/// A change of a task, as TaskChampion exchanges it.
///
/// Source: "Server-Replica Protocol" of TaskChampion's documentation.
public enum TaskOperation: Hashable, Sendable {
    /// Makes a task without properties, unless it exists.
    case create(UUID)
    /// Deletes a task, if it exists.
    case delete(UUID)
    /// Sets a property of a task, if that exists, or removes it.
    case update(UUID, property: String, value: String?, date: Date)

    var uuid: UUID {
        switch self {
        case .create(let uuid), .delete(let uuid), .update(let uuid, _, _, _): uuid
        }
    }

    // MARK: JSON

    /// The operations of a version: `{"operations": [{"Create": {"uuid": …}}, …]}`.
    ///
    /// - Throws: ``TaskChampionError`` if it is another document.
    static func operations(_ json: [UInt8]) throws(TaskChampionError) -> [TaskOperation] {
        var scanner = JSONScanner(json)
        let document = (try? scanner.value()) ?? .null
        var list = document
        if case .object(let members) = document { list = members["operations"] ?? .null }
        guard case .array(let elements) = list else { throw .damaged }
        var operations: [TaskOperation] = []
        operations.reserveCapacity(elements.count)
        for element in elements {
            guard case .object(let members) = element, let member = members.first,
                case .object(let fields) = member.value,
                let uuid = fields["uuid"]?.string.flatMap({ UUIDText.parse($0) })
            else { throw .damaged }
            switch member.name {
            case "Create": operations.append(.create(uuid))
            case "Delete": operations.append(.delete(uuid))
            case "Update":
                guard let property = fields["property"]?.string else { throw .damaged }
                let date = fields["timestamp"]?.string
                    .flatMap { ISODate.moment($0, zone: .utc) }
                operations.append(
                    .update(
                        uuid,
                        property: property,
                        value: fields["value"]?.string,
                        date: date ?? Date(timeIntervalSince1970: 0)
                    )
                )
            // What a later version of the protocol adds is not understood here.
            default: throw .newer(member.name)
            }
        }
        return operations
    }

    static func json(_ operations: [TaskOperation]) -> [UInt8] {
        let elements = operations.map { operation -> JSONValue in
            var fields = [JSONMember("uuid", .string(UUIDText.lowercase(operation.uuid)))]
            let name: String
            switch operation {
            case .create: name = "Create"
            case .delete: name = "Delete"
            case .update(_, let property, let value, let date):
                name = "Update"
                fields += [
                    JSONMember("property", .string(property)),
                    JSONMember("value", value.map { .string($0) } ?? .null),
                    JSONMember("timestamp", .string(ISODate.string(date))),
                ]
            }
            return .object([JSONMember(name, .object(fields))])
        }
        var bytes: [UInt8] = []
        JSONText.append(.object([JSONMember("operations", .array(elements))]), to: &bytes)
        return bytes
    }
}
