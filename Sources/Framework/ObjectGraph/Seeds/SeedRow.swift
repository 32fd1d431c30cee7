import FoundationEssentials
import ObjectModel

/// One row of seeds: values by column, and where they are in the text.
struct SeedRow {
    /// Values that are there, by column; an empty field has none.
    var values: [String: GraphValue] = [:]
    /// `line 3` or `row 3`.
    var place: String
    /// Lines and columns of the fields of a CSV text.
    var places: [String: String] = [:]

    /// Where a column's value is, in words.
    func place(of column: String) -> String {
        places[column] ?? "\(place), column \"\(column)\""
    }
}

extension SeedTable {
    /// The rows of the text.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat``, with the
    ///   place.
    func rows() throws -> [SeedRow] {
        switch source {
        case .csv(let bytes): try SeedTable.rows(csv: bytes)
        case .json(let bytes): try SeedTable.rows(json: bytes)
        }
    }

    private static func rows(csv bytes: [UInt8]) throws -> [SeedRow] {
        let rows = try CSVText(bytes).rows
        guard let header = rows.first else { return [] }
        var names: Set<String> = []
        for field in header where field.text.isEmpty || !names.insert(field.text).inserted {
            throw CSVText.error(
                field.text.isEmpty
                    ? "the column has no name" : "there are two columns \"\(field.text)\"",
                field.line,
                field.column
            )
        }
        return rows.dropFirst().map { fields in
            var row = SeedRow(place: "line \(fields.first?.line ?? 0)")
            for (name, field) in zip(header.map(\.text), fields) {
                row.places[name] =
                    "line \(field.line), column \(field.column) (\"\(name)\")"
                if field.text.isEmpty, !field.isQuoted { continue }
                row.values[name] = .string(field.text)
            }
            return row
        }
    }

    private static func rows(json bytes: [UInt8]) throws -> [SeedRow] {
        guard case .array(let members) = try GraphValue(json: Data(bytes)) else {
            throw refusal("the JSON text is not an array")
        }
        return try members.enumerated().map { index, member in
            guard case .dictionary(let values) = member else {
                throw refusal("row \(index + 1) is not an object")
            }
            return SeedRow(values: values, place: "row \(index + 1)")
        }
    }

    private static func refusal(_ reason: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidFormat,
            "The seeds cannot be read: \(reason).",
            recovery: "Give an array of objects."
        )
    }
}
