import FoundationEssentials

/// A value as text with its kind, so that nothing of it is lost.
struct ArchivedValue: Codable {
    private enum Kind: String, Codable {
        case null, bool, int, double, decimal, string, date, data, uuid, url
        case array, set, dictionary
    }

    private let kind: Kind
    private var text: String?
    private var members: [ArchivedValue]?
    private var entries: [String: ArchivedValue]?

    /// `nil` for an object and for a decimal that is not a number, which have no text.
    init?(_ value: GraphValue) {
        switch value {
        case .null: kind = .null
        case .bool(let flag): (kind, text) = (.bool, flag ? "true" : "false")
        case .int(let number): (kind, text) = (.int, String(number))
        case .double(let number): (kind, text) = (.double, number.description)
        case .decimal(let number):
            // Not a number has no text that can be read again.
            if number.isNaN { return nil }
            (kind, text) = (.decimal, number.description)
        case .string(let string): (kind, text) = (.string, string)
        case .date(let date):
            (kind, text) = (.date, date.timeIntervalSinceReferenceDate.description)
        case .data(let data): (kind, text) = (.data, data.base64EncodedString())
        case .uuid(let uuid): (kind, text) = (.uuid, uuid.uuidString)
        case .url(let url): (kind, text) = (.url, url.absoluteString)
        case .array(let values):
            kind = .array
            members = values.compactMap { ArchivedValue($0) }
            if members?.count != values.count { return nil }
        case .set(let values):
            kind = .set
            let list = values.compactMap { ArchivedValue($0) }
            if list.count != values.count { return nil }
            members = list.sorted { $0.order < $1.order }
        case .dictionary(let values):
            kind = .dictionary
            let list = values.compactMapValues { ArchivedValue($0) }
            if list.count != values.count { return nil }
            entries = list
        case .objectID, .object, .opaque: return nil
        }
    }

    /// A text by which the members of a set have a fixed order.
    private var order: String {
        let inner = members?.map(\.order).joined(separator: ",") ?? ""
        let pairs = (entries ?? [:]).sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value.order)" }.joined(separator: ",")
        return "\(kind.rawValue):\(text ?? ""):\(inner):\(pairs)"
    }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the text is
    ///   not a value of its kind.
    var value: GraphValue {
        get throws {
            let text = text ?? ""
            switch kind {
            case .null: return .null
            case .bool: return .bool(text == "true")
            case .int: if let number = Int64(text) { return .int(number) }
            case .double: if let number = Double(text) { return .double(number) }
            case .decimal: if let number = Decimal(string: text) { return .decimal(number) }
            case .string: return .string(text)
            case .date:
                if let number = Double(text) {
                    return .date(Date(timeIntervalSinceReferenceDate: number))
                }
            case .data: if let data = Data(base64Encoded: text) { return .data(data) }
            case .uuid: if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
            case .url: if let url = URL(string: text) { return .url(url) }
            case .array: return .array(try (members ?? []).map { try $0.value })
            case .set: return .set(Set(try (members ?? []).map { try $0.value }))
            case .dictionary: return .dictionary(try (entries ?? [:]).mapValues { try $0.value })
            }
            throw ObjectGraphError(
                .damagedFile,
                "The archive of a model has a value that is not of the kind \(kind.rawValue).",
                recovery: "Use the model itself, or a backup."
            )
        }
    }
}
