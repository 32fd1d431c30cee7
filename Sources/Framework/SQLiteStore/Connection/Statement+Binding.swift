import CSQLite
import FoundationEssentials
import ObjectStore

extension Statement {
    /// Binds arguments from the first on.
    ///
    /// Of numbered ones (`?3`), the last may have no place in the text: a translation has simplified it.
    func bind(_ arguments: [SQLValue]) throws {
        let count = Int(sqlite3_bind_parameter_count(handle))
        for (index, argument) in arguments.prefix(count).enumerated() {
            try bind(argument, at: Int32(index + 1))
        }
    }

    func bind(_ argument: SQLValue, at index: Int32) throws {
        switch argument {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(var text):
            try text.withUTF8 { try bind(copying: UnsafeRawBufferPointer($0), at: index) }
        case .blob(let data):
            try data.withUnsafeBytes { try bind(copyingBlob: $0, at: index) }
        }
    }

    @inline(__always)
    func bind(_ number: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, number) }

    /// Runs with arguments and makes the statement ready for the next ones.
    func run(_ arguments: SQLValue...) throws {
        try bind(arguments)
        try run()
    }
}

extension Statement {
    /// Binds text that is copied.
    ///
    /// Without memory for the copy the argument would be NULL, and the statement would run.
    func bind(copying text: UnsafeRawBufferPointer, at index: Int32) throws {
        try check(csqlite_bind_copied_text(handle, index, text.baseAddress, text.count))
    }

    /// Binds bytes that are copied, as a blob.
    func bind(copyingBlob bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        try check(csqlite_bind_copied_blob(handle, index, bytes.baseAddress, bytes.count))
    }

    func bind(_ bytes: [UInt8], at index: Int32) throws {
        try bytes.withUnsafeBytes { try bind(copyingBlob: $0, at: index) }
    }
}
