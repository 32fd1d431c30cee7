import ObjectModel

/// Finds the other sides of relationships that name none; see ``InverseRule``.
struct InverseInference {
    /// A relationship without another side.
    private struct Side {
        let property: PropertyDeclaration
        let type: ManagedObject.Type
        let target: ManagedObject.Type
        let relationship: RelationshipDescription

        var place: String { "\(type).\(property.name)" }

        func canBeInverse(of other: Side) -> Bool {
            guard relationship !== other.relationship, type == other.target, target == other.type,
                relationship.isTransient == other.relationship.isTransient
            else { return false }
            return type != target || relationship.isToMany != other.relationship.isToMany
        }
    }

    private let sides: [Side]

    init(_ declarations: [ClassDeclaration], _ relationships: [String: RelationshipDescription]) {
        sides = declarations.flatMap { declaration in
            declaration.ownProperties.compactMap { property in
                let key = "\(declaration.type.entityName).\(property.name)"
                guard property.options.inverse == nil, let target = property.type.destination,
                    let relationship = relationships[key], relationship.inverseName == nil
                else { return nil }
                return Side(
                    property: property,
                    type: declaration.type,
                    target: target,
                    relationship: relationship
                )
            }
        }
    }

    /// Joins what is unambiguous.
    ///
    /// - Returns: a sentence for each relationship that can have several other sides.
    func run() -> [String] {
        var problems: [String] = []
        for side in sides {
            let candidates = sides.filter { $0.canBeInverse(of: side) }
            if candidates.count > 1 {
                let names = candidates.map(\.place).joined(separator: " or ")
                problems.append(
                    "\(side.place): its inverse can be \(names). Name it, as in"
                        + " @Managed(inverse: \\.\(candidates[0].property.name)), or say that there is"
                        + " none: @Managed(inverse: .none)."
                )
            } else if let other = candidates.first,
                sides.filter({ $0.canBeInverse(of: other) }).count == 1
            {
                side.relationship.inverseName = other.property.name
            }
        }
        return problems
    }
}
