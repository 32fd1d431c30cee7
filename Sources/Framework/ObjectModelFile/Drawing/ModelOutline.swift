public import ObjectModel

/// Draws a model as text: the hierarchy of entities with their properties and relationships.
public struct ModelOutline {
    private let model: ManagedObjectModel

    /// The model may have contradictions, and need not be frozen.
    public init(_ model: ManagedObjectModel) { self.model = model }

    /// The drawing, a line each, without a final line break.
    public var text: String {
        var lines: [String] = []
        let names = Set(model.entities.map(\.name))
        var drawn: Set<String> = []
        func draw(_ entity: EntityDescription, depth: Int) {
            // A circle of parents is an error that `check` reports; here the loop only has to end.
            guard drawn.insert(entity.name).inserted else { return }
            let margin = String(repeating: "    ", count: depth)
            lines += self.lines(of: entity).map { margin + $0 } + [""]
            for child in children(of: entity.name) { draw(child, depth: depth + 1) }
        }
        for entity in model.entities.sorted(by: { $0.name < $1.name })
        where entity.superentityName.map({ !names.contains($0) }) ?? true {
            draw(entity, depth: 0)
        }
        for entity in model.entities.sorted(by: { $0.name < $1.name }) { draw(entity, depth: 0) }
        lines += requestLines() + configurationLines()
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    private func children(of name: String) -> [EntityDescription] {
        model.entities.filter { $0.superentityName == name }.sorted { $0.name < $1.name }
    }

    private func lines(of entity: EntityDescription) -> [String] {
        var notes: [String] = []
        if entity.isAbstract { notes.append("abstract") }
        if let parent = entity.superentityName { notes.append("parent \(parent)") }
        if entity.className != entity.name { notes.append("class \(entity.className)") }
        let rows = entity.ownProperties.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
            .map { (name: $0.name, kind: kind(of: $0), notes: self.notes(on: $0)) }
        let nameWidth = rows.map(\.name.count).max() ?? 0
        let kindWidth = rows.map(\.kind.count).max() ?? 0
        var lines = [entity.name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")]
        for row in rows {
            let line =
                "  " + padded(row.name, nameWidth) + "  " + padded(row.kind, kindWidth) + "  "
                + row.notes.joined(separator: ", ")
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        for constraint in entity.uniquenessConstraints {
            lines.append("  unique: \(constraint.joined(separator: ", "))")
        }
        for index in entity.indexes.sorted(by: { $0.name < $1.name }) {
            let elements = index.elements.map {
                $0.property + ($0.isAscending ? "" : " descending")
            }
            lines.append("  index \(index.name): \(elements.joined(separator: ", "))")
        }
        return lines
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func kind(of property: PropertyDescription) -> String {
        switch property {
        case let attribute as AttributeDescription:
            return attribute.compositeName ?? attribute.type.editorName
        case let relationship as RelationshipDescription:
            return (relationship.isToMany ? "→→ " : "→ ") + relationship.destinationName
        case let fetched as FetchedPropertyDescription:
            return "? " + fetched.fetchRequest.entityName
        default: return ""
        }
    }

    private func notes(on property: PropertyDescription) -> [String] {
        var notes: [String] = []
        if !property.isOptional { notes.append("required") }
        if property.isTransient { notes.append("transient") }
        if property.isSearched { notes.append("searched") }
        switch property {
        case let attribute as AttributeDescription:
            if !attribute.defaultValue.isNull {
                notes.append("default \(FetchExpression.constant(attribute.defaultValue).format)")
            }
            if let derivation = attribute.derivation { notes.append("derived: \(derivation)") }
            if let name = attribute.valueTransformerName { notes.append("through \(name)") }
            if attribute.allowsExternalStorage { notes.append("external storage") }
            notes += attribute.rules.map(\.outline)
        case let relationship as RelationshipDescription:
            if relationship.isOrdered { notes.append("ordered") }
            if relationship.minCount > 0 { notes.append("at least \(relationship.minCount)") }
            if relationship.maxCount > 1 { notes.append("at most \(relationship.maxCount)") }
            notes.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
            notes.append("on delete: \(relationship.deleteRule.editorName.lowercased())")
        case let fetched as FetchedPropertyDescription:
            if let predicate = fetched.fetchRequest.predicate { notes.append(predicate.format) }
        default: break
        }
        return notes
    }

    private func requestLines() -> [String] {
        model.fetchRequestTemplates.sorted { $0.key < $1.key }.map { name, request in
            "fetch request \(name): \(request.entityName)"
                + (request.predicate.map { " where \($0.format)" } ?? "")
        }
    }

    private func configurationLines() -> [String] {
        model.configurations.sorted { $0.key < $1.key }.map { name, members in
            "configuration \(name): \(members.sorted().joined(separator: ", "))"
        }
    }
}

extension PropertyDescription {
    /// AttributeList first, then relationships, then fetched properties.
    fileprivate var rank: Int {
        self is AttributeDescription ? 0 : self is RelationshipDescription ? 1 : 2
    }
}

extension ValidationRule {
    fileprivate var outline: String {
        func text(_ value: GraphValue) -> String { FetchExpression.constant(value).format }
        return switch self {
        case .required: "required"
        case .minimum(let value): "from \(text(value))"
        case .maximum(let value): "to \(text(value))"
        case .minimumLength(let length): "at least \(length) long"
        case .maximumLength(let length): "at most \(length) long"
        case .minimumCount(let count): "at least \(count)"
        case .maximumCount(let count): "at most \(count)"
        case .pattern(let pattern): "matches \(pattern)"
        case .predicate(let predicate, _): predicate.format
        }
    }
}
