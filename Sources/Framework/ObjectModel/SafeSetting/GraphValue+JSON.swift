public import FoundationEssentials

extension GraphValue {
    /// The value that a JSON text spells.
    ///
    /// Whole numbers become integers, others floating point numbers.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the text is
    ///   not JSON.
    /// - Complexity: O(length of the text).
    public init(json: Data) throws {
        do {
            self = try JSONDecoder().decode(JSONNode.self, from: json).value
        } catch {
            throw ObjectGraphError(
                .damagedFile,
                "The text is not JSON.",
                recovery: "Check whether it is complete.",
                underlying: [error]
            )
        }
    }
}

/// A JSON node, as a decoder reads it.
private struct JSONNode: Decodable {
    let value: GraphValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            value = .int(number)
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let members = try? container.decode([JSONNode].self) {
            value = .array(members.map(\.value))
        } else {
            value = .dictionary(try container.decode([String: JSONNode].self).mapValues(\.value))
        }
    }
}
