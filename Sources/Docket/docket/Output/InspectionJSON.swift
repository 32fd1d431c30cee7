import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectModel
import ObjectStore
import StoreExploring

/// What `docket inspect` shows, as JSON.
enum InspectionJSON {
    static func value(_ overview: StoreOverview) -> JSONValue {
        let hashes = overview.hashes.map { JSONMember($0.entity, .string(hex($0.hash))) }
        let versions = overview.versionIdentifiers.map { JSONValue.string($0) }
        return .object([
            JSONMember("type", .string(overview.type.rawValue)),
            JSONMember("uuid", .string(overview.identifier)),
            JSONMember("versionIdentifiers", .array(versions)),
            JSONMember("hashes", .object(hashes)),
            JSONMember("model", .string(overview.origin.name)),
            JSONMember("entities", .array(overview.entities.map { value($0) })),
        ])
    }

    private static func hex(_ data: Data) -> String {
        var text = ""
        for byte in data {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }

    private static func value(_ entity: StoreOverview.Entity) -> JSONValue {
        .object([
            JSONMember("name", .string(entity.name)),
            JSONMember("id", .number(String(entity.number))),
            JSONMember("super", entity.superentity.map { .string($0) } ?? .null),
            JSONMember("abstract", .bool(entity.isAbstract)),
            JSONMember("rows", .number(String(entity.rows))),
            JSONMember("attributes", .array(entity.attributes.map { value($0) })),
            JSONMember("relationships", .array(entity.relationships.map { value($0) })),
        ])
    }

    private static func value(_ attribute: StoreOverview.Attribute) -> JSONValue {
        .object([
            JSONMember("name", .string(attribute.name)),
            JSONMember("type", .string(attribute.type.editorName)),
            JSONMember("optional", .bool(attribute.isOptional)),
            JSONMember("transient", .bool(attribute.isTransient)),
            JSONMember("inherited", .bool(attribute.isInherited)),
            JSONMember("derivation", attribute.derivation.map { .string($0) } ?? .null),
        ])
    }

    private static func value(_ relationship: StoreOverview.Relationship) -> JSONValue {
        .object([
            JSONMember("name", .string(relationship.name)),
            JSONMember("destination", relationship.destination.map { .string($0) } ?? .null),
            JSONMember("inverse", relationship.inverse.map { .string($0) } ?? .null),
            JSONMember("toMany", .bool(relationship.isToMany)),
            JSONMember("ordered", .bool(relationship.isOrdered)),
            JSONMember("optional", .bool(relationship.isOptional)),
            JSONMember("transient", .bool(relationship.isTransient)),
            JSONMember("inherited", .bool(relationship.isInherited)),
            JSONMember("deleteRule", .string(relationship.deleteRule.editorName)),
        ])
    }

    // MARK: Objects

    /// Appends an object as one line.
    static func append(_ object: InspectedObject, to bytes: inout [UInt8]) {
        JSONText.append(literal: "{\"objectID\":", to: &bytes)
        JSONText.append(object.identifier, to: &bytes)
        JSONText.append(literal: ",\"entity\":", to: &bytes)
        JSONText.append(object.entity, to: &bytes)
        for (name, value) in object.values {
            bytes.append(UInt8(ascii: ","))
            JSONText.append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(value, to: &bytes)
        }
        JSONText.append(literal: "}\n", to: &bytes)
    }

    private static func append(_ value: InspectedValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: JSONText.append(literal: "null", to: &bytes)
        case .flag(let flag): JSONText.append(flag, to: &bytes)
        case .integer(let number): JSONText.append(number, to: &bytes)
        case .real(let number): append(number, to: &bytes)
        case .decimal(let number):
            if number.isNaN {
                JSONText.append("nan", to: &bytes)
            } else {
                bytes.append(contentsOf: number.description.utf8)
            }
        case .text(let text): JSONText.append(text, to: &bytes)
        case .date(let date):
            if InspectedValue.isShown(date) {
                JSONText.append(date, to: &bytes)
            } else {
                append(date.timeIntervalSinceReferenceDate, to: &bytes)
            }
        case .uuid(let uuid): JSONText.append(uuid.uuidString, to: &bytes)
        case .uri(let url): JSONText.append(url.absoluteString, to: &bytes)
        case .data(let count):
            JSONText.append(literal: "{\"bytes\":", to: &bytes)
            JSONText.append(Int64(count), to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        case .object(let identifier): JSONText.append(identifier, to: &bytes)
        case .objects(let identifiers, let count):
            JSONText.append(literal: "{\"count\":", to: &bytes)
            JSONText.append(Int64(count), to: &bytes)
            JSONText.append(literal: ",\"ids\":[", to: &bytes)
            for (place, identifier) in identifiers.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.append(identifier, to: &bytes)
            }
            JSONText.append(literal: "]}", to: &bytes)
        }
    }

    /// JSON has no infinite numbers; these are texts.
    private static func append(_ number: Double, to bytes: inout [UInt8]) {
        if number.isFinite {
            bytes.append(contentsOf: number.description.utf8)
        } else {
            JSONText.append(number.description, to: &bytes)
        }
    }
}
