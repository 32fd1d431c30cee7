/// The result of setting a dictionary safely.
public struct SafeSettingReport: Hashable, Sendable {
    /// A value that could not be set.
    public struct Refusal: Hashable, Sendable {
        public let key: String
        /// One sentence, without the value.
        public let reason: String
    }

    /// The names of the attributes that were set.
    ///
    /// Those whose value was converted are in ``coerced`` too.
    public internal(set) var set: [String] = []
    public internal(set) var coerced: [String] = []
    /// The keys of the dictionary that are not attributes.
    public internal(set) var skipped: [String] = []
    public internal(set) var refused: [Refusal] = []

    public init() {}
}

/// A property that can be set, one at a time.
package struct SafeField {
    package let name: String
    package let type: AttributeType
    package let isOptional: Bool
    /// Whether the property holds one character only.
    package let isOneCharacter: Bool

    package init(name: String, type: AttributeType, isOptional: Bool, isOneCharacter: Bool) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isOneCharacter = isOneCharacter
    }
}

extension KeyValueCoding {
    /// Sets the fields that a dictionary has a value for.
    package func setSafely(
        _ values: [String: GraphValue],
        _ fields: [SafeField],
        _ coercion: ValueCoercion
    ) -> SafeSettingReport {
        var report = SafeSettingReport()
        let known = Set(fields.map(\.name))
        report.skipped = values.keys.filter { !known.contains($0) }.sorted()
        for field in fields.sorted(by: { $0.name < $1.name }) {
            guard let given = values[field.name] else { continue }
            do {
                let value = try field.value(given, coercion, of: kindForMessages)
                try setValue(value, forKey: field.name)
                report.set.append(field.name)
                if value.kindName != given.kindName || value != given {
                    report.coerced.append(field.name)
                }
            } catch {
                report.refused.append(.init(key: field.name, reason: "\(error)"))
            }
        }
        return report
    }
}

extension SafeField {
    fileprivate func value(
        _ given: GraphValue,
        _ coercion: ValueCoercion,
        of owner: String
    ) throws -> GraphValue {
        guard var value = coercion.value(given, as: type) else {
            throw ObjectGraphError(
                .wrongValueKind,
                "\(given.kindAtStart) cannot become the \(type.shownName) \"\(name)\" of \(owner).",
                key: name,
                value: given
            )
        }
        if isOneCharacter, case .string(let text) = value {
            value = text.first.map { .string(String($0)) } ?? .null
        }
        if value.isNull, !isOptional {
            throw ObjectGraphError(
                .wrongValueKind,
                "\"\(name)\" of \(owner) cannot be nil.",
                key: name,
                value: given
            )
        }
        return value
    }
}

extension KeyTableCoding {
    /// Sets the attributes of the key table from a dictionary, such as one read from JSON.
    ///
    /// The table decides: keys that it does not have are skipped, and attributes without a key in
    /// the dictionary keep their value. Values are coerced (see ``ValueCoercion``); a `Character`
    /// takes the first one. A value that cannot be set is refused and changes nothing.
    /// Relationships and read-only properties are not attributes here.
    ///
    /// - Complexity: O(keys).
    @discardableResult
    public func setValuesSafely(
        _ values: [String: GraphValue],
        _ coercion: ValueCoercion = ValueCoercion()
    ) -> SafeSettingReport {
        let fields = type(of: self).keyTable.entries.compactMap { name, entry in
            entry.set == nil ? nil : entry.type.map { $0.field(named: name) }
        }
        return setSafely(values, fields, coercion)
    }
}
