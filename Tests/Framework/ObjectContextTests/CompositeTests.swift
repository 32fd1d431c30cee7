import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Synchronization
import Testing

/// Houses that stand somewhere: a composite with a composite inside.
private func placeModel(street: AttributeType = .string) -> ManagedObjectModel {
    let place = AttributeDescription("place", .composite)
    place.compositeName = "Place"
    let address = AttributeDescription("address", .composite)
    address.compositeName = "Address"
    let number = AttributeDescription("number", .integer16, optional: false, default: 1)
    number.rules = [.maximum(999)]
    number.usesScalarType = true
    let base = AttributeDescription("base", .composite, optional: false)
    base.compositeName = "Address"
    base.defaultValue = .dictionary(["street": "Main"])
    let copy = AttributeDescription("city", .string)
    copy.derivation = "house.place.address.street"
    let model = ManagedObjectModel([
        EntityDescription(
            "House",
            [
                AttributeDescription("name", .string), place,
                RelationshipDescription("rooms", to: "Room", inverse: "house", toMany: true),
            ]
        ),
        EntityDescription("Villa", superentity: "House", [base]),
        EntityDescription(
            "Room",
            [copy, RelationshipDescription("house", to: "House", inverse: "rooms")]
        ),
    ])
    let latitude = AttributeDescription("latitude", .double)
    latitude.rules = [.minimum(-90), .maximum(90)]
    model.composites = [
        "Address": [AttributeDescription("street", street), number],
        "Place": [latitude, AttributeDescription("longitude", .double), address],
    ]
    return model
}

/// A place without its address's number would break a rule.
private func place(_ latitude: Double, _ street: String = "Elm", _ number: Int64 = 5) -> GraphValue
{
    .dictionary([
        "latitude": .double(latitude),
        "address": .dictionary(["street": .string(street), "number": .int(number)]),
    ])
}

@Suite("Composite attributes")
struct CompositeTests {
    @Test(arguments: [StoreType.sqlite, .inMemory])
    func elementsAreSetTogetherAndOneByOne(_ kind: StoreType) throws {
        let bench = try StoreBench(kind, model: placeModel())
        let context = bench.context()
        let house = try context.make("House", ["name": "A"])
        // The address's number has a default.
        #expect(house["place"] == .dictionary(["address": .dictionary(["number": 1])]))
        try house.setValue(place(1), forKey: "place")
        try house.setValue(.int(8), forKeyPath: "place.address.number")
        try house.setValue(.int(3), forKeyPath: "place.longitude")
        try context.save()

        let reader = bench.context()
        let stored = try reader.all("House")[0]
        let expected: GraphValue = .dictionary([
            "latitude": .double(1), "longitude": .double(3),
            "address": .dictionary(["street": "Elm", "number": 8]),
        ])
        #expect(stored["place"] == expected)
        #expect(try stored.value(forKeyPath: "place.address.number") == 8)
        #expect(stored.primitiveValue(forKey: "place") == expected)
        #expect(stored.committedValues(forKeys: ["place"]) == ["place": expected])

        try stored.setValue(.null, forKey: "place")
        #expect(stored["place"] == .null)
        #expect(stored.changedValues() == ["place": .null])
        #expect(stored.changedKeys == ["place"])
        try stored.setValue(.string("Oak"), forKeyPath: "place.address.street")
        #expect(stored["place"] == .dictionary(["address": .dictionary(["street": "Oak"])]))
    }

    @Test func wrongShapesAreRefusedAndNothingIsSet() throws {
        let context = try StoreBench(.inMemory, model: placeModel()).context()
        let house = try context.make("House", ["place": place(1)])
        for wrong: GraphValue in [
            "here", .dictionary(["latitude": "north"]), .dictionary(["height": 3]),
            .dictionary(["latitude": 2, "address": .dictionary(["number": "many"])]),
        ] {
            #expect(throws: ObjectGraphError.self) { try house.setValue(wrong, forKey: "place") }
            #expect(house["place"] == place(1))
        }
        let error = #expect(throws: ObjectGraphError.self) {
            try house.setValue(.dictionary(["height": 3]), forKey: "place")
        }
        #expect(error?.message == "House.place has no element \"height\".")
        #expect(error?.recovery == "It has: address, latitude, longitude.")
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func predicatesOrdersAndColumnsFollowThePath(_ kind: StoreType) throws {
        let bench = try StoreBench(kind, model: placeModel())
        let context = bench.context()
        for (index, latitude) in [3.0, 1, 2].enumerated() {
            let house = try context.make(
                index == 1 ? "Villa" : "House",
                ["name": .string("\(index)"), "place": place(latitude, "Elm \(index)")]
            )
            try context.make("Room", ["house": .object(house)])
        }
        try context.make("House", ["name": "nowhere", "place": .null])
        try context.save()
        let reader = bench.context()
        func names(_ format: String) throws -> [String] {
            try reader.all("House", format).compactMap { $0["name"].text }.sorted()
        }
        let left = Mutex<[String]>([])
        bench.coordinator.startCounting { line in
            if line.hasPrefix("left to memory") { left.withLock { $0.append(line) } }
        }
        #expect(try names("place.latitude >= 2") == ["0", "2"])
        #expect(try names("place.address.street ENDSWITH '1'") == ["1"])
        #expect(try names("place.latitude == nil") == ["nowhere"])
        #expect(try names("base.street == 'Main'") == ["1"])
        #expect(try names("ANY rooms.house.place.address.number == 5") == ["0", "1", "2"])
        var request = FetchRequest<ManagedObject>(
            entityName: "House",
            sortDescriptors: [FetchSortDescriptor("place.latitude", ascending: false)]
        )
        #expect(try reader.fetch(request).map { $0["name"] } == ["0", "2", "1", "nowhere"])
        var columns = FetchRequest<[String: GraphValue]>(entityName: "House")
        columns.propertiesToFetch = [.init("place.address.street")]
        columns.returnsDistinctResults = true
        #expect(try reader.fetch(columns).count == 4)
        if kind == .sqlite { #expect(left.withLock { $0 } == []) }
        // The whole has no column, so it is asked for in memory.
        #expect(try names("place == nil") == ["nowhere"])
        if kind == .sqlite {
            #expect(left.withLock { $0 } == ["left to memory of fetch House: place == nil"])
        }
        request.predicate = try FetchPredicate(format: "place.address.street == 'new'")
        try reader.all("House")[0].setValue("new", forKeyPath: "place.address.street")
        #expect(try reader.fetch(request).count == 1)
    }

    @Test func undoAndRefreshRestoreEachElement() throws {
        let bench = try StoreBench(.sqlite, model: placeModel())
        let context = bench.context()
        let undo = UndoManager()
        undo.groupsByEvent = false
        let house = try context.make("House", ["place": place(1)])
        try context.save(as: "Build")
        context.undoManager = undo
        undo.beginUndoGrouping()
        try house.setValue(place(2, "Oak", 6), forKey: "place")
        context.processPendingChanges()
        #expect(house.hasPersistentChangedValues)
        try undo.endUndoGrouping()
        try undo.undo()
        #expect(house["place"] == place(1))
        try undo.redo()
        #expect(house["place"] == place(2, "Oak", 6))
        try context.save(as: "Move")
        _ = try context.undoLastCommand()
        #expect(house["place"] == place(1))

        // Others changed one element, this context another: both stay.
        let other = bench.context()
        try other.all("House")[0].setValue(.double(9), forKeyPath: "place.longitude")
        try other.save()
        try house.setValue("Ash", forKeyPath: "place.address.street")
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        let reader = bench.context()
        let stored = try reader.all("House")[0]
        #expect(try stored.value(forKeyPath: "place.longitude") == 9.0)
        #expect(try stored.value(forKeyPath: "place.address.street") == "Ash")
    }

    @Test func observersHearOfTheWholeOnce() throws {
        let context = try StoreBench(.inMemory, model: placeModel()).context()
        let house = try context.make("House", ["place": place(1)])
        var told: [(GraphValue, GraphValue)] = []
        let whole = try house.observe("place", options: [.old, .new]) { _, change in
            told.append((change.oldValue ?? .null, change.newValue ?? .null))
        }
        var streets: [GraphValue] = []
        let street = try house.observe("place.address.street") { _, change in
            streets.append(change.newValue ?? .null)
        }
        try house.setValue(place(2, "Oak", 6), forKey: "place")
        #expect(told.count == 1 && told[0].0 == place(1) && told[0].1 == place(2, "Oak", 6))
        try house.setValue("Ash", forKeyPath: "place.address.street")
        #expect(told.count == 2 && told[1].1 == place(2, "Ash", 6))
        #expect(streets == ["Oak", "Ash"])
        withExtendedLifetime((whole, street)) {}
    }

    @Test func rulesOfElementsCountWhereThereIsAValue() throws {
        let bench = try StoreBench(.sqlite, model: placeModel())
        let context = bench.context()
        let house = try context.make("House", ["place": place(91)])
        let high = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(high?.code == .numberTooLarge && high?.key == "place.latitude")
        // A place needs its number, no place needs none.
        try house.setValue(.dictionary(["latitude": 3]), forKey: "place")
        #expect(throws: Never.self) { try context.save() }
        try house.setValue(
            .dictionary(["address": .dictionary(["street": "Elm"])]),
            forKey: "place"
        )
        let missing = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(missing?.code == .missingMandatory && missing?.key == "place.address.number")
        try house.setValue(.null, forKey: "place")
        try context.save()

        let villa = try context.make("Villa", ["base": .null])
        let whole = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(whole?.isAbout("base") == true)
        var candidate: GraphValue = .dictionary(["street": "Elm", "number": 1000])
        let rule = #expect(throws: ObjectGraphError.self) {
            try villa.validateValue(&candidate, forKey: "base")
        }
        #expect(rule?.code == .numberTooLarge && rule?.key == "base.number")
    }

    @Test func derivedAttributesFollowAnElement() throws {
        let bench = try StoreBench(.sqlite, model: placeModel())
        let context = bench.context()
        let house = try context.make("House", ["place": place(1)])
        let room = try context.make("Room", ["house": .object(house)])
        try context.save()
        #expect(room["city"] == "Elm")
        try house.setValue("Oak", forKeyPath: "place.address.street")
        try context.save()
        #expect(room["city"] == "Oak")
    }

    @Test func versionHashFollowsTheElements() throws {
        let (first, second) = (placeModel(), placeModel(street: .integer64))
        #expect(first.entityVersionHashes() == placeModel().entityVersionHashes())
        let hashes = first.entityVersionHashes()
        #expect(second.entitiesIncompatible(with: hashes) == ["House", "Villa"])
    }

    @Test func modelsWithoutTheTypeAreRefused() {
        func issues(_ change: (ManagedObjectModel) -> Void) -> [String] {
            let model = placeModel()
            change(model)
            return model.check().filter(\.isError).map(\.description)
        }
        #expect(issues { _ in } == [])
        #expect(
            issues { $0.composites["Place"] = nil } == [
                "House.place: The composite type \"Place\" does not exist. "
                    + "Name a composite of this model."
            ]
        )
        let circle = AttributeDescription("again", .composite)
        circle.compositeName = "Place"
        #expect(
            issues { $0.composites["Address"]?.append(circle) } == [
                "House.place: The composite type \"Place\" contains itself. Remove that element.",
                "Villa.base: The composite type \"Address\" contains itself. Remove that element.",
            ]
        )
        #expect(
            issues { $0.composites["Address"]?.append(AttributeDescription("street", .date)) }
                .first?.contains("has two elements \"street\"") == true
        )
    }
}

extension ObjectGraphError {
    /// Whether this error or one inside of it is about a key.
    fileprivate func isAbout(_ key: String) -> Bool {
        self.key == key
            || underlying.contains { ($0 as? ObjectGraphError)?.isAbout(key) ?? false }
    }
}

extension GraphValue {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
