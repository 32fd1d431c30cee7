import Foundation
import ObjectGraph
import ObjectModel

/// The shapes of the examples in two versions: Point becomes Vertex by its renaming identifier,
/// Circle becomes Ellipse by a policy.
enum ShapesModels {
    static func first() -> ManagedObjectModel {
        model(corner: "Point", round: circle(), renames: false)
    }

    static func second() -> ManagedObjectModel {
        model(corner: "Vertex", round: ellipse(), renames: true)
    }

    private static func circle() -> EntityDescription {
        EntityDescription("Circle", superentity: "Shape", [number("radius")] + place)
    }

    private static func ellipse() -> EntityDescription {
        EntityDescription(
            "Ellipse",
            superentity: "Shape",
            [number("width"), number("height")] + place
        )
    }

    private static var place: [PropertyDescription] { [number("x"), number("y")] }

    private static func number(_ name: String) -> AttributeDescription {
        AttributeDescription(name, .double, optional: false, default: .double(0))
    }

    private static func model(
        corner: String,
        round: EntityDescription,
        renames: Bool
    ) -> ManagedObjectModel {
        let canvas = EntityDescription(
            "Canvas",
            [
                AttributeDescription("title", .string, optional: false, default: .string("")),
                RelationshipDescription(
                    "shapes",
                    to: "Shape",
                    inverse: "canvas",
                    toMany: true,
                    ordered: true,
                    deleteRule: .cascade
                ),
            ]
        )
        let shape = EntityDescription(
            "Shape",
            isAbstract: true,
            [
                AttributeDescription("color", .string),
                RelationshipDescription(
                    "canvas",
                    to: "Canvas",
                    inverse: "shapes",
                    optional: false
                ),
            ]
        )
        let polygon = EntityDescription(
            "Polygon",
            superentity: "Shape",
            [
                RelationshipDescription(
                    "vertices",
                    to: corner,
                    inverse: "polygon",
                    toMany: true,
                    ordered: true,
                    deleteRule: .cascade
                )
            ]
        )
        let point = EntityDescription(
            corner,
            [
                number("x"), number("y"),
                RelationshipDescription("polygon", to: "Polygon", inverse: "vertices"),
            ]
        )
        if renames { point.renamingIdentifier = "Point" }
        return ManagedObjectModel([canvas, shape, round, polygon, point])
    }

    /// Makes a store with canvases, each with a triangle and some circles.
    static func makeStore(
        _ url: URL,
        canvases: Int = 2,
        circles: Int = 3,
        options: StoreOptions = StoreOptions()
    ) throws {
        let container = try PersistentContainer(model: first(), url: url, options: options)
        defer { container.close() }
        let context = container.viewContext
        for number in 0..<canvases {
            let canvas = try context.insert(entityNamed: "Canvas")
            try canvas.setValue(.string("canvas \(number)"), forKey: "title")
            var shapes: [GraphValue] = []
            for index in 0..<circles {
                let circle = try context.insert(entityNamed: "Circle")
                try circle.setValue(.double(Double(index + 1)), forKey: "radius")
                try circle.setValue(.string("red"), forKey: "color")
                shapes.append(.object(circle))
            }
            let polygon = try context.insert(entityNamed: "Polygon")
            var vertices: [GraphValue] = []
            for index in 0..<3 {
                let point = try context.insert(entityNamed: "Point")
                try point.setValue(.double(Double(index)), forKey: "x")
                vertices.insert(.object(point), at: 0)
            }
            try polygon.setValue(.array(vertices), forKey: "vertices")
            shapes.insert(.object(polygon), at: 1)
            try canvas.setValue(.array(shapes), forKey: "shapes")
        }
        try context.save(as: "Draw")
    }

    /// From the first version to the second, with a policy for circles.
    static func mapping(policy: String? = "CirclePolicy") throws -> MappingModel {
        var mapping = try MappingModel.inferred(from: first(), to: second())
        mapping["RemoveCircle"] = nil
        mapping["AddEllipse"] = nil
        mapping["CircleToEllipse"] = EntityMapping(
            "CircleToEllipse",
            .custom,
            from: "Circle",
            to: "Ellipse",
            attributes: [
                try PropertyMapping("x", format: "$source.x"),
                try PropertyMapping("y", format: "$source.y"),
                try PropertyMapping("color", format: "$source.color"),
            ],
            relationships: [
                try PropertyMapping(
                    "canvas",
                    format: """
                        FUNCTION($manager, \
                        "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \
                        "canvas", $source.canvas)
                        """
                )
            ],
            policy: policy
        )
        return mapping
    }

    /// Each canvas of a store of the second version as a line.
    static func lines(_ context: ManagedObjectContext) throws -> [String] {
        let request = FetchRequest<ManagedObject>(
            entityName: "Canvas",
            sortDescriptors: [FetchSortDescriptor("title")]
        )
        return try context.fetch(request).map { canvas in
            let shapes = try canvas.value(forKey: "shapes").elements ?? []
            let texts = try shapes.map { shape -> String in
                guard case .object(let shape) = shape, let shape = shape as? ManagedObject else {
                    return "?"
                }
                if shape.entity.name == "Polygon" {
                    let corners = try shape.value(forKeyPath: "vertices.x").elements ?? []
                    return "polygon \(corners.compactMap { $0.doubleText })"
                }
                let width = try shape.value(forKey: "width").doubleText ?? "?"
                let height = try shape.value(forKey: "height").doubleText ?? "?"
                return "ellipse \(width)×\(height)"
            }
            guard case .string(let title) = try canvas.value(forKey: "title") else { return "?" }
            return "\(title): \(texts.joined(separator: ", "))"
        }
    }
}

extension GraphValue {
    fileprivate var doubleText: String? {
        if case .double(let number) = self { "\(number)" } else { nil }
    }
}

/// A circle becomes an ellipse with two equal axes.
final class CirclePolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
        for source: ManagedObject,
        in mapping: EntityMapping,
        manager: MigrationManager
    ) throws {
        try super.createDestinationInstances(for: source, in: mapping, manager: manager)
        guard case .double(let radius) = try source.value(forKey: "radius") else { return }
        for ellipse in try manager.destinationInstances(
            forEntityMapping: mapping.name,
            sourceInstances: [source]
        ) {
            try ellipse.setValue(.double(radius * 2), forKey: "width")
            try ellipse.setValue(.double(radius * 2), forKey: "height")
        }
    }
}

/// A policy that fails at its second object.
final class FailingPolicy: EntityMigrationPolicy {
    struct Failure: Error {}
    private var count = 0

    override func createDestinationInstances(
        for source: ManagedObject,
        in mapping: EntityMapping,
        manager: MigrationManager
    ) throws {
        count += 1
        if count == 2 { throw Failure() }
        try super.createDestinationInstances(for: source, in: mapping, manager: manager)
    }
}
