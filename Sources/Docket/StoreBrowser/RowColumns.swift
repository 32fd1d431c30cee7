import ObjectModel
import StoreExploring

/// The columns in which the objects of an entity are shown.
///
/// Their widths come from the types and the number of objects, so that nothing moves when another page
/// is shown. The first text has a quarter of the room, and what is left.
struct RowColumns {
    struct Column: Equatable {
        let name: String
        var width: Int
        let isRight: Bool
    }

    let columns: [Column]

    /// - Parameters:
    ///   - entity: the entity of the objects; `nil` for objects of several ones.
    ///   - room: the columns of the screen.
    init(_ entity: StoreOverview.Entity?, room: Int) {
        // The letter, the digits, and one more digit for objects that were deleted.
        let number = entity.map { max(7, String($0.rows).utf8.count + 2) }
        var found = [Column(name: "", width: number ?? 18, isRight: false)]
        var rest = room - found[0].width
        let attributes = (entity?.attributes ?? []).filter { !$0.isTransient }
        // A text that each object has names it better than one that it may have.
        let texts =
            attributes.filter { $0.type == .string && !$0.isOptional }
            + attributes.filter { $0.type == .string && $0.isOptional }
        let links = (entity?.relationships ?? []).filter { !$0.isTransient && !$0.isToMany }
        var wanted = texts.map { Column(name: $0.name, width: 16, isRight: false) }
        if !wanted.isEmpty { wanted[0].width = max(16, room / 4) }
        // What says least to a person comes last, and so is left out first.
        let opaque: Set<AttributeType> = [.binary, .transformable, .uuid]
        func typed(_ attributes: [StoreOverview.Attribute]) -> [Column] {
            attributes.map { attribute in
                let (width, isRight) = RowColumns.width(of: attribute.type)
                return Column(name: attribute.name, width: width, isRight: isRight)
            }
        }
        wanted += typed(attributes.filter { $0.type != .string && !opaque.contains($0.type) })
        wanted += links.map { Column(name: $0.name, width: 16, isRight: false) }
        wanted += typed(attributes.filter { opaque.contains($0.type) })
        for column in wanted where column.width + 1 <= rest {
            found.append(column)
            rest -= column.width + 1
        }
        if rest > 0,
            let place = found.firstIndex(where: { column in
                texts.contains { $0.name == column.name }
            })
        {
            found[place].width += rest
        }
        columns = found
    }

    private static func width(of type: AttributeType) -> (Int, isRight: Bool) {
        switch type {
        case .boolean: (5, false)
        case .integer16: (6, true)
        case .integer32, .integer64, .undefined: (10, true)
        case .double, .float, .decimal: (12, true)
        case .date: (20, false)
        case .uuid: (36, false)
        case .uri, .string, .objectID: (24, false)
        case .binary, .transformable, .composite: (12, true)
        }
    }
}
