// A composite attribute is a view of its elements. They are attributes of their own, named
// `place.latitude`, each with a slot and a column. Reading the composite attribute builds its
// dictionary; setting it sets the elements. It is `nil` when no element has a value.
//
// As in Core Data, a store keeps the elements in columns of their own, not one column for the
// whole.

extension AttributeDescription {
    /// The attribute itself, or the elements of a composite one at every depth.
    package var leaves: [AttributeDescription] {
        type == .composite ? elements.flatMap(\.leaves) : [self]
    }

    /// The name that an element has within its composite attribute.
    package var elementName: String {
        guard let composite else { return name }
        return String(name.dropFirst(composite.name.count + 1))
    }

    /// The dictionary of the elements that have a value; `nil` if none has.
    package func composed(_ value: (AttributeDescription) -> GraphValue) -> GraphValue {
        guard type == .composite else { return value(self) }
        var values: [String: GraphValue] = [:]
        for element in elements {
            let value = element.composed(value)
            if !value.isNull { values[element.elementName] = value }
        }
        return values.isEmpty ? .null : .dictionary(values)
    }

    /// The values of the elements in a dictionary, converted to their types; an element that the
    /// dictionary does not name is `nil`.
    ///
    /// - Throws: `ObjectGraphError` for a key that is not an element and for a value of the wrong
    ///   kind.
    package func decomposed(
        _ value: GraphValue
    ) throws -> [(attribute: AttributeDescription, value: GraphValue)] {
        guard type == .composite else {
            guard let fit = coerced(value) else { throw wrongKind(value) }
            return [(self, fit)]
        }
        var values: [String: GraphValue] = [:]
        switch value {
        case .null: break
        case .dictionary(let entries): values = entries
        default: throw wrongKind(value)
        }
        let parts = try elements.flatMap { element in
            try element.decomposed(values.removeValue(forKey: element.elementName) ?? .null)
        }
        if let unknown = values.keys.min() {
            throw ObjectGraphError(
                .undefinedKey,
                "\(name) has no element \"\(unknown)\".",
                recovery: "It has: \(elements.map(\.elementName).joined(separator: ", ")).",
                key: name
            )
        }
        return parts
    }

    private func wrongKind(_ value: GraphValue) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "\(name) takes \(type.nameWithArticle), not \(value.kindWithArticle).",
            key: name,
            value: value
        )
    }

    /// Makes the elements of a composite attribute from the model's types.
    ///
    /// A value in the attribute's own default wins over the element's.
    func makeElements(_ types: [String: [PropertyDescription]]) {
        guard type == .composite, let compositeName else { return }
        var defaults: [String: GraphValue] = [:]
        if case .dictionary(let entries) = defaultValue { defaults = entries }
        elements = types[compositeName, default: []].sorted { $0.name < $1.name }.compactMap {
            guard let element = $0.copy() as? AttributeDescription else { return nil }
            element.name = "\(name).\($0.name)"
            element.isTransient = isTransient || element.isTransient
            element.isSearched = isSearched || element.isSearched
            if let value = defaults[$0.name] { element.defaultValue = value }
            element.entity = entity
            element.composite = self
            element.makeElements(types)
            return element
        }
    }
}

extension EntityDescription {
    /// The slots that hold the value of a key: the property's own, or those of the elements of a
    /// composite attribute; `nil` for a key that is not a property.
    ///
    /// Valid once frozen.
    package func slots(readBy key: String) -> [Int]? {
        guard let property = property(named: key) else { return nil }
        return (property as? AttributeDescription)?.leaves.map(\.slot) ?? [property.slot]
    }
}

extension ManagedObjectModel {
    /// The error of using a composite type for an attribute; `nil` if there is none.
    ///
    /// `path` lists the types around this one, so that a type that contains itself is found.
    func flaw(
        ofComposite name: String?,
        path: [String] = []
    ) -> (message: String, recovery: String)? {
        guard let name, let elements = composites[name] else {
            return (
                name.map { "The composite type \"\($0)\" does not exist." }
                    ?? "The attribute names no composite type.",
                "Name a composite of this model."
            )
        }
        if path.contains(name) {
            return ("The composite type \"\(name)\" contains itself.", "Remove that element.")
        }
        var seen: Set<String> = []
        for element in elements {
            guard let attribute = element as? AttributeDescription, !attribute.isDerived else {
                return (
                    "\"\(element.name)\" of the composite type \"\(name)\" is not a plain attribute.",
                    "Use attributes that are not derived."
                )
            }
            if !seen.insert(element.name).inserted {
                return (
                    "The composite type \"\(name)\" has two elements \"\(element.name)\".",
                    "Rename one."
                )
            }
            if attribute.type == .composite,
                let flaw = flaw(ofComposite: attribute.compositeName, path: path + [name])
            {
                return flaw
            }
        }
        return nil
    }
}
