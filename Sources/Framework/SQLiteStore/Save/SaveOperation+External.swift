import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

extension SaveOperation {
    /// Binds data that may be in a file: small data with a mark, large data as the name of the
    /// file.
    func bindExternal(
        _ value: GraphValue,
        _ column: BoundColumn,
        _ layout: RowLayout.Column,
        to statement: Statement
    ) throws {
        guard case .data(let data) = value, let folder = layout.externalFolder else {
            sqlite3_bind_null(statement.handle, column.index)
            external.note(Data(), slot: column.slot)
            return
        }
        let bytes =
            data.count > ExternalData.inlineLimit
            ? try external.write(data, folder) : ExternalData.inline(data)
        external.note(bytes, slot: column.slot)
        try statement.bind(.blob(bytes), at: column.index)
    }
}
