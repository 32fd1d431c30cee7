public import FoundationEssentials
import ObjectModel

/// A stored object, for showing.
public struct InspectedObject {
    /// The URI of the object: `x-coredata://<store>/<entity>/p<number>`.
    public let identifier: String
    public let entity: String
    /// The number of the object in its entity's table; 0 in a store without numbers.
    public let key: Int64
    /// The stored attributes and the relationships, by name.
    public let values: [(name: String, value: InspectedValue)]
}

/// A stored value, for showing.
public enum InspectedValue {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case text(String)
    case date(Date)
    case uuid(UUID)
    case uri(URL)
    /// Data, or the stored form of a transformable value, by its size.
    case data(count: Int)
    /// The destination of a to-one relationship.
    case object(String)
    /// The first destinations of a to-many relationship, and how many there are.
    case objects([String], count: Int)
}

extension InspectedValue {
    init(_ value: GraphValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .flag(flag)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .decimal(let number): self = .decimal(number)
        case .string(let text): self = .text(text)
        case .date(let date): self = .date(date)
        case .data(let data): self = .data(count: data.count)
        case .uuid(let uuid): self = .uuid(uuid)
        case .url(let url): self = .uri(url)
        case .objectID(let id): self = .object(id.uri)
        case .array, .set, .dictionary, .object, .opaque: self = .null
        }
    }
}

extension InspectedValue {
    /// Whether a date is in the years 1 to 9999; others are shown as seconds since 2001.
    public static func isShown(_ date: Date) -> Bool {
        (-63_114_076_800..<252_423_993_600).contains(date.timeIntervalSinceReferenceDate)
    }
}
