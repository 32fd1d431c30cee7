import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// A class with rules of its own.
final class CheckedEmployee: ManagedObject {
    override func validate(_ value: inout GraphValue, forKey key: String) throws {
        try super.validate(&value, forKey: key)
        if key == "name", case .string(let text) = value {
            if text == "nobody" {
                throw ObjectGraphError(.validation, "Nobody is not a name.", key: "name")
            }
            value = .string(text.replacing(" ", with: ""))
        }
    }

    override func validateForUpdate() throws {
        var errors: [any Error] = []
        do { try super.validateForUpdate() } catch { errors.append(error) }
        if self["age"] == 13 {
            errors.append(ObjectGraphError(.validation, "Thirteen is unlucky.", key: "age"))
        }
        if let error = ObjectGraphError.combining(errors) { throw error }
    }
}

@Suite("Validation")
struct ValidationTests {
    let context: ManagedObjectContext

    init() throws {
        let name = AttributeDescription("name", .string, optional: false)
        name.rules = [
            .predicate(
                try FetchPredicate(format: "SELF.length >= 2"),
                message: "Name is too short."
            )
        ]
        let salary = AttributeDescription("salary", .integer32)
        salary.rules = [.minimum(0), .maximum(100)]
        let code = AttributeDescription("code", .string)
        code.rules = [.minimumLength(2), .maximumLength(4), .pattern("[a-z]+")]
        let staff = RelationshipDescription(
            "staff",
            to: "Employee",
            inverse: "department",
            toMany: true,
            deleteRule: .deny
        )
        staff.maxCount = 2
        let council = RelationshipDescription(
            "council",
            to: "Employee",
            inverse: "councils",
            toMany: true,
            optional: false
        )
        council.minCount = 2
        let model = ManagedObjectModel([
            EntityDescription(
                "Employee",
                [
                    name, salary, code, AttributeDescription("age", .integer16, default: 1),
                    RelationshipDescription("department", to: "Department", inverse: "staff"),
                    RelationshipDescription(
                        "councils",
                        to: "Company",
                        inverse: "council",
                        toMany: true
                    ),
                ]
            ),
            EntityDescription("Department", [staff]),
            EntityDescription("Company", [council]),
        ])
        let coordinator = try PersistentStoreCoordinator(
            model: model,
            classes: ["Employee": CheckedEmployee.self]
        )
        coordinator.add(try InMemoryStore(model: model))
        context = ManagedObjectContext(coordinator: coordinator)
    }

    private func code(_ body: () throws -> Void) -> ObjectGraphError.Code? { failure(body)?.code }

    @Test(.scenario("val-predicate"))
    func predicateRuleCarriesItsMessage() throws {
        let ana = try context.make("Employee", ["name": "A"])
        let error = try #require(failure { try ana.validateForInsert() })
        #expect(error.code == .validation && error.key == "name" && error.value == "A")
        #expect(error.rule != nil && error.message.contains("Name is too short."))
        #expect(error.objectIDs == [ana.objectID])
    }

    @Test(.scenario("val-multiple"))
    func severalErrorsAreCombinedAndFlat() throws {
        let ana = try context.make("Employee", ["salary": -1])
        let error = try #require(failure { try ana.validateForInsert() })
        #expect(error.code == .multipleErrors && error.underlying.count == 2)
        try context.make("Employee", ["name": "A", "salary": 101, "code": "x"])
        let all = try #require(failure { try context.save() })
        let codes = all.underlying.compactMap { ($0 as? ObjectGraphError)?.code.rawValue }.sorted()
        #expect(codes == [1550, 1570, 1610, 1620, 1670, 1680].filter { $0 != 1680 })
        #expect(ObjectGraphError.combining([]) == nil)
    }

    @Test func codesOfTheModelsRules() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        let cases: [(String, GraphValue, ObjectGraphError.Code)] = [
            ("salary", 101, .numberTooLarge), ("salary", -1, .numberTooSmall),
            ("code", "abcde", .stringTooLong), ("code", "a", .stringTooShort),
            ("code", "AB", .stringPattern), ("name", .null, .missingMandatory),
        ]
        for (key, value, expected) in cases {
            var candidate = value
            #expect(code { try ana.validateValue(&candidate, forKey: key) } == expected)
        }
        var good: GraphValue = "abc"
        try ana.validateValue(&good, forKey: "code")
        #expect(code { try ana.validateValue(&good, forKey: "nothing") } == .undefinedKey)
    }

    @Test func everyBrokenRuleOfAnAttributeIsTold() throws {
        let ana = try context.make("Employee", ["name": "Ana", "code": "A"])
        let both = try #require(failure { try context.save() })
        #expect(both.code == .multipleErrors && both.key == nil)
        let parts = both.underlying.compactMap { $0 as? ObjectGraphError }
        #expect(parts.map(\.code) == [.stringTooShort, .stringPattern])
        #expect(parts.map(\.rule) == [.minimumLength(2), .pattern("[a-z]+")])
        #expect(parts.allSatisfy { $0.key == "code" && $0.objectIDs == [ana.objectID] })
        #expect(
            parts.map(\.message)
                == [
                    "Employee.code needs at least 2 characters.",
                    "Employee.code has to match [a-z]+.",
                ]
        )
        var candidate: GraphValue = "ABCDE"
        let direct = try #require(failure { try ana.validateValue(&candidate, forKey: "code") })
        #expect(direct.underlying.count == 2 && ErrorAdvice(direct).sentence.contains("2 errors"))
        // One broken rule is not combined.
        ana["code"] = "AB"
        #expect(failure { try context.save() }?.code == .stringPattern)
        // The rule of the class and that of the model.
        ana["code"] = .null
        ana["name"] = "nobody"
        ana["salary"] = 101
        #expect(failure { try context.save() }?.underlying.count == 2)
    }

    @Test func oneCharacterIsSingular() throws {
        let letter = AttributeDescription("letter", .string)
        letter.rules = [.minimumLength(1), .maximumLength(1)]
        #expect(
            failure { try letter.validate("") }?.message == "letter needs at least 1 character."
        )
        #expect(
            failure { try letter.validate("ab") }?.message == "letter takes at most 1 character."
        )
    }

    @Test(.scenario("val-update", "val-save-fails-then-fixed"))
    func failedUpdateLeavesAllPendingAndSaveable() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save()
        ana["name"] = .null
        ana["salary"] = 3
        #expect(code { try ana.validateForUpdate() } == .missingMandatory)
        #expect(code { try context.save() } == .missingMandatory)
        #expect(ana.isUpdated && ana["salary"] == 3 && ana.changedValues().count == 2)
        #expect(try context.stored("Employee", "name") == ["Ana"])
        ana["name"] = "Anna"
        try context.save()
        #expect(try context.stored("Employee", "salary") == [3])
    }

    @Test func customRuleMayReplaceAndRefuse() throws {
        let ana = try context.make("Employee", ["name": "A n a"])
        try context.save()
        #expect(ana["name"] == "Ana" && !context.hasChanges)
        #expect(try context.stored("Employee", "name") == ["Ana"])
        ana["name"] = "nobody"
        #expect(failure { try context.save() }?.message == "Nobody is not a name.")
        ana["age"] = 13
        #expect(failure { try context.save() }?.underlying.count == 2)
        ana["name"] = "Ana"
        #expect(failure { try context.save() }?.message == "Thirteen is unlucky.")
        context.rollback()
        try context.save()
    }

    @Test func countsOfRelationships() throws {
        let home = try context.make("Department")
        let people = try (0..<3).map { try context.make("Employee", ["name": .string("p\($0)")]) }
        for person in people { person["department"] = .object(home) }
        let error = try #require(failure { try context.save() })
        #expect(error.code == .tooManyObjects && error.key == "staff")
        people[2]["department"] = .null
        try context.save()
        let company = try context.make("Company")
        #expect(code { try context.save() } == .tooFewObjects)
        company["council"] = [.object(people[0])]
        #expect(code { try context.save() } == .tooFewObjects)
        company["council"] = [.object(people[0]), .object(people[1])]
        try context.save()
        company["council"] = []
        #expect(code { try context.save() } == .tooFewObjects)
    }

    @Test(.scenario("val-deny"))
    func denyIsToldPerObject() throws {
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["name": "Ana", "department": .object(home)])
        try context.save()
        #expect(code { try home.validateForDelete() } == .deleteDenied)
        context.delete(home)
        #expect(code { try context.save() } == .deleteDenied)
        context.delete(ana)
        try context.save()
    }

    @Test func messagesHoldNoPrivateValue() throws {
        let ana = try context.make("Employee", ["name": "Ana", "code": "SECRET"])
        let error = try #require(failure { try ana.validateForInsert() })
        #expect(!"\(error)".contains("SECRET"))
    }
}
