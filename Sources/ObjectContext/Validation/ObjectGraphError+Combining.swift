public import ObjectModel

extension ObjectGraphError {
    /// Several errors as one: none → `nil`, one → itself, more → code 1560 with all of them.
    ///
    /// Combined errors are flattened.
    public static func combining(_ errors: [any Error]) -> (any Error)? {
        let flat = errors.flatMap { error -> [any Error] in
            if let error = error as? ObjectGraphError, error.code == .multipleErrors {
                return error.underlying
            }
            return [error]
        }
        if flat.count < 2 { return flat.first }
        let known = flat.compactMap { $0 as? ObjectGraphError }
        let list = flat.map { "\($0)" }
        return ObjectGraphError(
            .multipleErrors,
            "\(flat.count) rules are broken: " + list.joined(separator: " "),
            objectIDs: Array(Set(known.flatMap(\.objectIDs))),
            underlying: flat
        )
    }
}

/// Runs checks and collects their errors.
struct ErrorCollector {
    private(set) var errors: [any Error] = []

    mutating func run(_ check: () throws -> Void) {
        do { try check() } catch { errors.append(error) }
    }

    func finish() throws {
        if let error = ObjectGraphError.combining(errors) { throw error }
    }
}
