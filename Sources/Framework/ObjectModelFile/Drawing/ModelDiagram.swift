public import ObjectModel

/// The layout of a drawn model: a box for each entity, a line for each relationship (one for a pair
/// of inverses) and for each parent.
///
/// Boxes are in columns. Between columns are gutters, and above all columns is a margin. Lines run
/// only there: from the side of a property's row, along the gutter, and if necessary over the
/// margin to another gutter. So boxes never overlap and no line crosses a box; parallel lines have
/// separate lanes.
///
/// The same model gives the same drawing, in whatever order its parts were added.
///
/// - Complexity: O(properties + lines²) at worst, in a gutter that all lines share.
public struct ModelDiagram {
    /// A rectangle, in points from the top left.
    public struct Rectangle: Hashable, Sendable {
        public var x, y, width, height: Double

        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        public var right: Double { x + width }
        public var bottom: Double { y + height }
    }

    /// A row of a box.
    public struct Row: Hashable, Sendable {
        public let property: String
        /// The text of the row: name, type or destination, cardinality, delete rule.
        public let text: String
    }

    public struct Box: Sendable {
        public let entity: String
        /// The text of the head.
        public let title: String
        public let isAbstract: Bool
        public let rows: [Row]
        public internal(set) var frame: Rectangle
        var column = 0
    }

    public struct Line: Sendable {
        public enum Kind: Hashable, Sendable {
            /// From a relationship to its inverse, or to the destination's head if it has none.
            case relationship
            /// From an entity's head to its parent's.
            case parent
        }

        /// The mark at the end of a line.
        public enum End: Hashable, Sendable {
            case none, one, many, arrow, triangle
        }

        public let kind: Kind
        public let start: End
        public let end: End
        /// The corners, from start to end; every piece is horizontal or vertical.
        public internal(set) var points: [Point]
    }

    public struct Point: Hashable, Sendable {
        public var x, y: Double
    }

    /// The boxes, by column and from top to bottom.
    public internal(set) var boxes: [Box] = []
    public internal(set) var lines: [Line] = []
    /// The size of the whole drawing.
    public internal(set) var size = Point(x: 0, y: 0)

    static let rowHeight = 18.0
    static let headHeight = 26.0
    static let letterWidth = 7.3
    static let gap = 28.0
    static let laneWidth = 8.0
    static let border = 16.0

    /// The model may have contradictions, and need not be frozen.
    public init(_ model: ManagedObjectModel) {
        let links = DiagramLink.all(in: model)
        boxes = DiagramOrder.related(model, links).map { ModelDiagram.box(for: $0) }
        fillColumns()
        route(links)
    }

    private static func box(for entity: EntityDescription) -> Box {
        let title = entity.isAbstract ? "\(entity.name) (abstract)" : entity.name
        let rows = entity.ownProperties.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
            .map { Row(property: $0.name, text: $0.diagramText) }
        let letters = ([title.count + 2] + rows.map(\.text.count)).max() ?? 0
        return Box(
            entity: entity.name,
            title: title,
            isAbstract: entity.isAbstract,
            rows: rows,
            frame: Rectangle(
                x: 0,
                y: 0,
                width: (Double(letters) * letterWidth + 20).rounded(.up),
                height: headHeight + Double(rows.count) * rowHeight + (rows.isEmpty ? 0 : 8)
            )
        )
    }

    /// Fills one column after the other, so that the drawing is about as wide as it is high.
    private mutating func fillColumns() {
        let heights = boxes.map { $0.frame.height + ModelDiagram.gap }
        let width = (boxes.map(\.frame.width).max() ?? 0) + 80
        let limit = max((heights.reduce(0, +) * width).squareRoot(), heights.max() ?? 0)
        var column = 0
        var y = 0.0
        for index in boxes.indices {
            if y > 0, y + heights[index] > limit {
                column += 1
                y = 0
            }
            boxes[index].column = column
            boxes[index].frame.y = y
            y += heights[index]
        }
    }
}

extension PropertyDescription {
    /// Attributes first, then relationships, then fetched properties.
    fileprivate var rank: Int {
        self is AttributeDescription ? 0 : self is RelationshipDescription ? 1 : 2
    }

    fileprivate var diagramText: String {
        switch self {
        case let attribute as AttributeDescription:
            let type = attribute.compositeName ?? attribute.type.editorName
            let mark = attribute.isOptional ? "?" : ""
            let derivation = attribute.derivation.map { " = \($0)" } ?? ""
            return
                "\(name): \(type)\(mark)\(attribute.isTransient ? " transient" : "")\(derivation)"
        case let relationship as RelationshipDescription:
            let order = relationship.isOrdered ? " ordered" : ""
            return "\(name) → \(relationship.cardinality) \(relationship.destinationName)\(order), "
                + relationship.deleteRule.editorName.lowercased()
        case let fetched as FetchedPropertyDescription:
            return "\(name) ⇢ \(fetched.fetchRequest.entityName)"
        default: return name
        }
    }
}

extension RelationshipDescription {
    /// The number of possible destinations: `0..1`, `1`, `0..*`, `2..5`.
    var cardinality: String {
        let least = isOptional ? minCount : max(minCount, 1)
        let most = isToMany ? (maxCount == 0 ? "*" : String(maxCount)) : "1"
        return String(least) == most
            ? most : "\(min(least, maxCount == 0 ? least : maxCount))..\(most)"
    }
}
