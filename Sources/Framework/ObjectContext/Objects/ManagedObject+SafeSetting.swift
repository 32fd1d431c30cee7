public import ObjectModel

extension ManagedObject {
    /// Sets the attributes from a dictionary, such as one read from JSON.
    ///
    /// The entity's attributes decide: keys that are not attributes are skipped (also relationships
    /// and derived attributes), and attributes without a key in the dictionary keep their value.
    /// Values are coerced (see `ValueCoercion`); a string of at most one character takes the first
    /// letter. A value that cannot be set is refused and changes nothing. Rules of the model beyond
    /// the type, such as bounds, are left to validation.
    ///
    ///     let report = task.setValuesSafely(values, ValueCoercion(dates: try DatePattern("dd.MM.yy")))
    ///     for refusal in report.refused { print(refusal.reason) }
    ///
    /// - Complexity: O(attributes).
    @discardableResult
    public final func setValuesSafely(
        _ values: [String: GraphValue],
        _ coercion: ValueCoercion = ValueCoercion()
    ) -> SafeSettingReport {
        let fields = entity.attributes.filter { !$0.isDerived }.map { attribute in
            SafeField(
                name: attribute.name,
                type: attribute.type,
                isOptional: attribute.isOptional,
                isOneCharacter: attribute.rules.contains(.maximumLength(1))
            )
        }
        return setSafely(values, fields, coercion)
    }
}
