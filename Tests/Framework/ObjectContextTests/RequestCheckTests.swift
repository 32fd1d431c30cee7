import FoundationEssentials
import ObjectGraph
import Testing

/// The key paths of a request are compared with the model before a row is read: the tables are empty
/// here, so nothing is ever evaluated.
@Suite("Key paths of requests")
struct RequestCheckTests {
    /// What is wrong with a fetch of employees.
    private func complaint(
        _ format: String? = nil,
        _ change: (inout FetchDescription) -> Void = { _ in }
    ) throws -> ObjectGraphError? {
        var request = FetchDescription(entityName: "Employee")
        if let format { request.predicate = try FetchPredicate(format: format) }
        change(&request)
        let context = try TestGraph.context()
        return failure { _ = try context.fetch(FetchRequest<ManagedObject>(request)) }
    }

    @Test(
        arguments: [
            ("nmae == 'Ana'", "Employee", "nmae"),
            ("department.titel == 'x'", "Department", "titel"),
            ("boss.boss.nmae == 'x'", "Employee", "nmae"),
            ("ANY projects.cod == 'x'", "Project", "cod"),
            ("ALL projects.steps.lable == 'x'", "Step", "lable"),
            ("projects.@sum.cod > 1", "Project", "cod"),
            ("age > 3 AND (name == 'x' OR NOT nmae == 'y')", "Employee", "nmae"),
            ("SUBQUERY(projects, $p, $p.cod == 'x').@count > 0", "Project", "cod"),
            ("SUBQUERY(projects, $p, nmae == $p.code).@count > 0", "Employee", "nmae"),
            ("length(nmae) > 3", "Employee", "nmae"), ("salary + bonus > 3", "Employee", "bonus"),
            ("name IN {nmae, 'x'}", "Employee", "nmae"),
            ("name BETWEEN {'a', nmae}", "Employee", "nmae"),
            ("name.lenght > 3", "Employee", "lenght"), ("age.@count > 3", "Employee", "@count"),
            ("department.@count > 3", "Employee", "@count"),
            ("TERNARY(nmae == nil, 1, 2) == 1", "Employee", "nmae"),
        ]
    )
    func misspeltKeyOfAPredicateIsRefused(_ format: String, _ entity: String, _ key: String) throws
    {
        let error = try #require(try complaint(format))
        #expect(error.code == .undefinedKey && error.key == key, "\(error)")
        #expect(error.message.contains("predicate of a fetch of Employee"), "\(error)")
        #expect(error.message.contains("\(entity)") && error.message.contains("\"\(key)\""))
    }

    @Test func propertiesOfOtherEntitiesOfTheHierarchyAreNamedToo() throws {
        let error = try #require(try complaint("nmae == 'Ana'"))
        let others = try #require(
            error.recovery.split(separator: " Others of its hierarchy have: ").last
        )
        #expect(others.contains("budget") && !others.contains("name"), "\(error)")
        #expect(error.recovery.hasPrefix("It has: ") && error.recovery.contains("name"))
    }

    @Test(
        arguments: [
            ("department == 'Sales'", "Employee.department"),
            ("'Sales' == department", "Employee.department"),
            ("department != 3", "Employee.department"),
            ("department IN {'Sales', 'Lab'}", "Employee.department"),
            ("boss.department BEGINSWITH 'S'", "Employee.department"),
            ("ANY projects == 'x'", "Employee.projects"),
            ("projects CONTAINS 'x'", "Employee.projects"),
            ("'x' IN projects", "Employee.projects"),
            ("SUBQUERY(projects, $p, $p == 'x').@count > 0", "Employee.projects"),
        ]
    )
    func relationshipComparedWithAPlainValueIsRefused(_ format: String, _ place: String) throws {
        let error = try #require(try complaint(format))
        #expect(error.code == .invalidRequest, "\(error)")
        #expect(error.message.contains("predicate of a fetch of Employee"), "\(error)")
        #expect(error.message.contains(place), "\(error)")
    }

    @Test(
        arguments: [
            "budget > 3", "self IN {}", "objectID == nil", "entity == 'Manager'",
            "entity.name == 'Manager'", "name.length > 3", "speed > 1", "department == nil",
            "department IN {}", "department.staff.@count > 3", "projects.@count == 0",
            "ANY projects.code == 'x'", "department.staff.@max.age > 3",
            "projects.steps.@count > 1",
            "projects.@unionOfObjects.code CONTAINS 'x'", "department == boss.department",
            "SUBQUERY(projects, $p, $p.code == name AND ANY $p.members.age > 3).@count > 0",
            "ANY reviews.reviewers[FIRST].name == 'x'", "hired > now()", "SELF.name == 'x'",
            "SELF == nil", "boss.budget > 3", "ANYKEY == 'x'", "department.objectID == nil",
            "projects[SIZE] == 2", "name.uppercaseString.length == 3",
        ]
    )
    func keyThatIsThereIsAccepted(_ format: String) throws {
        let error = try complaint(format)
        #expect(error == nil, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func misspeltKeyOfAGivenObjectIsRefused() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee")
        var request = FetchRequest<ManagedObject>(entityName: "Department")
        for (key, isThere) in [("department.titel", false), ("department.title", true)] {
            request.predicate = .comparison(
                FetchComparison(
                    .keyPath("title"),
                    .equal,
                    .keyPathOf(.constant(.object(ana)), key)
                )
            )
            let error = failure { _ = try context.fetch(request) }
            #expect((error == nil) == isThere, "\(error as Any)")
        }
    }

    @Test func misspeltKeyOfASortDescriptorIsRefused() throws {
        for (path, key) in [("nmae", "nmae"), ("department.titel", "titel")] {
            let error = try complaint { $0.sortDescriptors = [FetchSortDescriptor(path)] }
            #expect(error?.code == .undefinedKey && error?.key == key)
            #expect(error?.message.contains("sort descriptor of a fetch of Employee") == true)
        }
        #expect(try complaint { $0.sortDescriptors = [FetchSortDescriptor("self")] } == nil)
        #expect(try complaint { $0.sortDescriptors = [FetchSortDescriptor("budget")] } == nil)
    }

    @Test func misspeltRelationshipToPrefetchIsRefused() throws {
        for (path, place) in [
            ("departmnt", "Employee"), ("department.stuff", "Department"), ("name", "Employee"),
        ] {
            let error = try complaint { $0.relationshipKeyPathsForPrefetching = [path] }
            #expect(error?.message.contains("\(place) has no relationship") == true, "\(path)")
        }
    }

    @Test func misspeltKeyOfADictionaryRequestIsRefused() throws {
        let context = try TestGraph.context()
        func complaint(_ change: (inout FetchDescription) -> Void) -> ObjectGraphError? {
            var request = FetchDescription(entityName: "Employee")
            change(&request)
            return failure { _ = try context.fetch(FetchRequest<[String: GraphValue]>(request)) }
        }
        typealias Column = FetchDescription.Column
        let sum = FetchExpression.function("sum:", [.keyPath("salry")])
        let cases: [(String, (inout FetchDescription) -> Void)] = [
            ("nmae", { $0.propertiesToFetch = [Column("nmae")] }),
            ("titel", { $0.propertiesToFetch = [Column("department.titel")] }),
            ("salry", { $0.propertiesToFetch = [Column("total", sum)] }),
            (
                "aeg",
                { request in
                    request.propertiesToFetch = [Column("aeg")]
                    request.propertiesToGroupBy = [Column("aeg")]
                }
            ),
            (
                "aeg",
                { request in
                    request.propertiesToFetch = [
                        Column("total", .function("count:", [.keyPath("name")]))
                    ]
                    request.propertiesToGroupBy = [Column("aeg")]
                }
            ),
            (
                "totla",
                { request in
                    request.propertiesToFetch = [Column("age")]
                    request.propertiesToGroupBy = [Column("age")]
                    request.having = .comparison(
                        FetchComparison(.keyPath("totla"), .greater, .constant(3))
                    )
                }
            ),
            (
                "totla",
                { request in
                    request.propertiesToFetch = [Column("age")]
                    request.sortDescriptors = [FetchSortDescriptor("totla")]
                }
            ),
        ]
        for (key, change) in cases {
            let error = complaint(change)
            #expect(error?.message.contains("\"\(key)\"") == true, "\(key): \(error as Any)")
            let owner = key == "titel" ? "Department" : "Employee"
            #expect(error?.message.contains(owner) == true, "\(key): \(error as Any)")
        }
        // The names of columns are keys of the order and of the groups.
        let ordered = complaint { request in
            request.propertiesToFetch = [
                Column("age"), Column("total", .function("sum:", [.keyPath("salary")])),
            ]
            request.propertiesToGroupBy = [Column("age")]
            request.having = .comparison(
                FetchComparison(.keyPath("total"), .greater, .constant(3))
            )
            request.sortDescriptors = [FetchSortDescriptor("total")]
        }
        #expect(ordered == nil, "\(ordered as Any)")
    }

    @Test func everyWayToAskIsChecked() throws {
        let context = try TestGraph.context()
        let wrong = try FetchPredicate(format: "department.titel == 'x'")
        var objects = FetchRequest<ManagedObject>(entityName: "Employee", predicate: wrong)
        let ids = FetchRequest<ManagedObjectID>(entityName: "Employee", predicate: wrong)
        #expect(failure { _ = try context.count(for: objects) }?.key == "titel")
        #expect(failure { _ = try context.fetch(ids) }?.key == "titel")
        let dictionaries = FetchRequest<[String: GraphValue]>(
            entityName: "Employee",
            predicate: wrong
        )
        #expect(failure { _ = try context.fetch(dictionaries) }?.key == "titel")
        let child = ManagedObjectContext(parent: context)
        #expect(failure { _ = try child.fetch(objects) }?.key == "titel")
        #expect(
            failure { try context.execute(BatchDelete(entityName: "Employee", predicate: wrong)) }?
                .key == "titel"
        )
        let search = failure {
            _ = try context.search(
                "x",
                entityName: "Employee",
                relatedKeyPaths: ["department.titel"]
            )
        }
        #expect(search?.key == "titel" && search?.message.contains("search of Employee") == true)
        let narrowed = failure {
            _ = try context.search("x", entityName: "Employee", matching: wrong)
        }
        #expect(narrowed?.key == "titel")
        objects.predicate = nil
        objects.sortDescriptors = [FetchSortDescriptor("name")]
        let sections = failure {
            let controller = try FetchedResultsController(
                request: objects,
                context: context,
                sectionNameKeyPath: "department.titel"
            )
            try controller.performFetch()
        }
        #expect(sections?.key == "titel")
    }

    @Test func batchUpdateIsCheckedBeforeItsObjectsAreFound() throws {
        let context = try TestGraph.context()
        var update = BatchUpdate(entityName: "Employee")
        update.values = ["nmae": .constant("x")]
        let target = failure { try context.execute(update) }
        #expect(
            target?.key == "nmae" && target?.message.contains("batch update of Employee") == true
        )
        update.values = ["name": .keyPath("department.titel")]
        #expect(failure { try context.execute(update) }?.key == "titel")
        update.values = ["projects": .constant(.null)]
        #expect(failure { try context.execute(update) }?.key == "projects")
        update.values = ["name": .keyPath("department.title")]
        #expect(failure { try context.execute(update) } == nil)
    }

    @Test func misspeltKeyOfADerivedAttributeIsRefusedAtOpening() throws {
        func complaint(_ derivation: String) -> String? {
            let derived = AttributeDescription("derived", .string)
            derived.derivation = derivation
            let model = TestGraph.model()
            model.entity(named: "Department")?.add(derived)
            return failure { _ = try PersistentStoreCoordinator(model: model) }?.message
        }
        for derivation in [
            "titel", "canonical:(titel)", "head.nmae", "staff.aeg.@sum", "stuff.@count",
        ] {
            let message = complaint(derivation)
            #expect(message?.contains("Department.derived") == true, "\(derivation)")
            #expect(message?.contains("has no") == true, "\(derivation): \(message ?? "")")
        }
        for derivation in [
            "title", "head.name", "staff.@count", "staff.age.@sum", "staff.age.@max",
            "head.department.title", "uppercase:(title)", "now()",
        ] {
            #expect(complaint(derivation) == nil, "\(derivation)")
        }
    }

    private final class Counted: ManagedObject {
        override func value(forUndefinedKey key: String) throws -> GraphValue {
            guard key == "letters" else { return try super.value(forUndefinedKey: key) }
            let name = try value(forKey: "name", as: String.self)
            return .int(Int64(name?.count ?? 0))
        }
    }

    @Test func keyThatOnlyAClassKnowsIsAccepted() throws {
        let context = try TestGraph.context(classes: ["Employee": Counted.self])
        #expect(try context.all("Employee", "letters > 3").isEmpty)
        #expect(try context.all("Department", "ANY staff.letters.more > 3").isEmpty)
        #expect(failure { _ = try context.all("Employee", "lettres > 3") }?.key == "lettres")
        #expect(
            failure { _ = try context.all("Employee", "department.letters > 3") }?.key == "letters"
        )
        try context.make("Employee", ["name": "Anna"])
        try context.save()
        #expect(try context.all("Employee", "letters > 3").count == 1)
    }
}
