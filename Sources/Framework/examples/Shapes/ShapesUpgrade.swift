import FoundationEssentials
import ObjectGraph

/// The store of the program's first version, and how the second version opens it.
///
/// The model of the first version has circles and points. In the second one points are called
/// vertices, which needs only a renaming identifier, and circles are ellipses: both radii are made
/// of the circle's one, which a policy does.
struct ShapesUpgrade {
    let environment: ExampleEnvironment

    /// Opens the store with the second version of the model; a new file is first one of the first.
    func open() throws -> PersistentContainer {
        var store = environment.storeDescription()
        let output = environment.output
        let isFile = environment.store.isFile
        let isNew = isFile && !FileManager.default.fileExists(atPath: store.url?.path ?? "")
        if !isFile { output("In memory there is nothing to migrate.") }
        if isNew {
            output("Drawn by version 1:")
            try drawWithFirstVersion(store)
        }
        MigrationPolicies.register(EllipsePolicy.name) { EllipsePolicy() }
        store.options.migration.versions = [ShapesModel1.make()]
        store.options.migration.mappings = [try mapping()]
        let container = try environment.open(ShapesModel.make(), ShapesModel.classes, [store])
        if isNew {
            output("Opened by version 2:")
            try show(container.viewContext)
        }
        return container
    }

    /// What follows from the two models, and the policy for what does not.
    private func mapping() throws -> MappingModel {
        var mapping = try MappingModel.inferred(from: ShapesModel1.make(), to: ShapesModel.make())
        mapping["CircleToEllipse"]?.policyName = EllipsePolicy.name
        return mapping
    }

    /// The second version has no classes for circles and points, so all goes by key.
    private func drawWithFirstVersion(_ store: StoreDescription) throws {
        let context = try environment.open(ShapesModel1.make(), [], [store]).viewContext
        func insert(_ entity: String, _ values: [String: GraphValue]) throws -> GraphValue {
            let object = try context.insert(entityNamed: entity)
            try object.setValuesForKeys(values)
            return .object(object)
        }
        let corners = try [(1.0, 1.0), (9.0, 1.0), (9.0, 7.0)].map { x, y in
            try insert("Point", ["x": .double(x), "y": .double(y)])
        }
        let circle: [String: GraphValue] = [
            "x": 4.0, "y": 6.0, "radius": 3.0, "color": .opaque(Color.red),
        ]
        let polygon: [String: GraphValue] = [
            "vertices": .array(corners), "color": .opaque(Color.green),
        ]
        let shapes = [try insert("Circle", circle), try insert("Polygon", polygon)]
        _ = try insert(
            "Canvas",
            [
                "title": "Drawing", "transform": try insert("Transform", [:]),
                "shapes": .array(shapes),
            ]
        )
        try context.save()
        try show(context)
        environment.close()
    }

    /// Prints each shape and its corners with their attributes, whatever their version calls them.
    private func show(_ context: ManagedObjectContext) throws {
        let request = FetchRequest<ManagedObject>(entityName: "Canvas")
        var rows: [[String]] = []
        func add(_ values: GraphValue) throws {
            for case .object(let object as ManagedObject) in values.elements ?? [] {
                let values = try object.entity.attributes.map(\.name).sorted().map { key in
                    "\(key) \(text(try object.value(forKey: key)))"
                }
                rows.append([object.entity.name, values.joined(separator: ", ")])
                if object.entity.property(named: "vertices") != nil {
                    try add(try object.value(forKey: "vertices"))
                }
            }
        }
        for canvas in try context.fetch(request) { try add(try canvas.value(forKey: "shapes")) }
        environment.output.rows(rows)
    }

    private func text(_ value: GraphValue) -> String {
        switch value {
        case .double(let number): number.oneDigit
        case .opaque(let color as Color): color.name
        default: value.kindName
        }
    }
}

/// Makes an ellipse of a circle.
private final class EllipsePolicy: EntityMigrationPolicy {
    static let name = "EllipsePolicy"

    override func createDestinationInstances(
        for circle: ManagedObject,
        in mapping: EntityMapping,
        manager: MigrationManager
    ) throws {
        // Place and colour, as the models have them.
        try super.createDestinationInstances(for: circle, in: mapping, manager: manager)
        let radius = try circle.value(forKey: "radius")
        for ellipse in try manager.destinationInstances(
            forEntityMapping: mapping.name,
            sourceInstances: [circle]
        ) {
            try ellipse.setValuesForKeys(["horizontalRadius": radius, "verticalRadius": radius])
        }
    }
}
