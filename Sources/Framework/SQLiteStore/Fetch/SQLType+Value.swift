import FoundationEssentials
import ObjectModel
import ObjectStore

extension SQLType {
    /// A column's value as a value of the type.
    func value(_ statement: Statement, _ column: Int32, in store: SQLiteStore) -> GraphValue {
        if statement.isNull(column) { return .null }
        switch self {
        case .integer: return .int(statement.integer(column))
        case .boolean: return .bool(statement.integer(column) != 0)
        case .real: return .double(statement.real(column))
        case .decimal:
            return Decimal(storedText: statement.text(column)).map { .decimal($0) } ?? .null
        case .text: return .string(statement.text(column))
        case .date:
            return .date(Date(timeIntervalSinceReferenceDate: statement.real(column)))
        case .data, .opaque: return .data(Data(statement.bytes(column)))
        case .uuid:
            let bytes = statement.bytes(column)
            guard bytes.count == 16 else { return .null }
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .uri: return URL(string: statement.text(column)).map { .url($0) } ?? .null
        case .entity:
            let number = Int(statement.integer(column))
            guard number > 0, number < store.schema.byNumber.count,
                let schema = store.schema.byNumber[number]
            else { return .null }
            return .string(schema.entity.name)
        case .reference: return .int(statement.integer(column))
        }
    }
}
