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

extension ObjectGraphError {
    /// The error after a change; of a combined error each of its errors is changed, and the sentence
    /// is made of theirs.
    package func mapped(_ change: (inout ObjectGraphError) -> Void) -> ObjectGraphError {
        var result = self
        if code == .multipleErrors {
            let parts = underlying.map { ($0 as? ObjectGraphError)?.mapped(change) ?? $0 }
            result = Self.combining(parts) as? ObjectGraphError ?? self
        } else {
            change(&result)
        }
        return result
    }
}

/// Runs checks and collects their errors.
package struct ErrorCollector {
    package private(set) var errors: [any Error] = []

    package init() {}

    package mutating func run(_ check: () throws -> Void) {
        do { try check() } catch { errors.append(error) }
    }

    package mutating func add(_ error: any Error) { errors.append(error) }

    /// Whether an error with a code was collected.
    package func has(_ code: ObjectGraphError.Code) -> Bool {
        errors.contains { ($0 as? ObjectGraphError)?.code == code }
    }

    @inline(__always)
    package func finish() throws {
        if errors.isEmpty { return }
        if let error = ObjectGraphError.combining(errors) { throw error }
    }
}
