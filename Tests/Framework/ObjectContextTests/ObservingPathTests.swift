import ObjectContext
import ObjectModel
import Testing

/// Answers to a key that its entity does not have, and says what the key depends on.
private final class Signer: ManagedObject {
    override class var entityName: String { "Employee" }

    override class func keyPathsForValuesAffecting(_ key: String) -> Set<String> {
        key == "signature" ? ["name"] : []
    }

    override func value(forUndefinedKey key: String) throws -> GraphValue {
        if key == "signature" { return .string("— \(self["name"])") }
        return try super.value(forUndefinedKey: key)
    }
}

@Suite("Observing a path that breaks")
struct ObservingPathTests {
    private let context: ManagedObjectContext
    private let employee: ManagedObject
    private let department: ManagedObject

    init() throws {
        context = try TestGraph.context(classes: ["Employee": Signer.self])
        employee = try context.make("Employee", ["name": "Ana"])
        department = try context.make("Department", ["title": "Tools"])
        try context.save()
    }

    private final class Told {
        var values: [GraphValue] = []
    }

    private func watch(
        _ object: ManagedObject,
        _ path: String
    ) throws -> (Told, KeyValueObservation) {
        let told = Told()
        let token = try object.observe(path) { told.values.append($1.newValue ?? "?") }
        return (told, token)
    }

    @Test func pathThatIsNilWhenObservedIsFollowedLater() throws {
        let (told, token) = try watch(employee, "department.title")
        employee["department"] = .object(department)
        department["title"] = "Wood"
        employee["department"] = .null
        department["title"] = "unheard"
        employee["department"] = .object(department)
        department["title"] = "Steel"
        #expect(told.values == ["Tools", "Wood", .null, "unheard", "Steel"])
        token.invalidate()
    }

    @Test func pathThatBecomesNilIsFollowedAgain() throws {
        employee["department"] = .object(department)
        let (told, token) = try watch(employee, "department.title")
        for _ in 0..<2 {
            employee["department"] = .null
            employee["department"] = .object(department)
        }
        department["title"] = "Wood"
        #expect(told.values == [.null, "Tools", .null, "Tools", "Wood"])
        token.invalidate()
    }

    @Test func operatorOverNobodyHearsOfThoseWhoJoin() throws {
        let (told, token) = try watch(department, "staff.@sum.age")
        employee["age"] = 30
        employee["department"] = .object(department)
        employee["age"] = 31
        employee["department"] = .null
        employee["age"] = 99
        employee["department"] = .object(department)
        employee["age"] = 32
        #expect(told.values == [30, 31, 0, 99, 32])
        token.invalidate()
    }

    @Test func dependentKeyIsFollowedAcrossANilRelationship() throws {
        let (told, token) = try watch(department, "head.signature")
        department["head"] = .object(employee)
        employee["name"] = "Bea"
        #expect(told.values.map(\.kindName) == ["string", "string"])
        token.invalidate()
    }

    @Test func operatorAtTheEndOfALongPathIsFollowed() throws {
        let (told, token) = try watch(employee, "department.staff.@count")
        employee["department"] = .object(department)
        let other = try context.make("Employee")
        other["department"] = .object(department)
        #expect(told.values == [1, 2])
        token.invalidate()
    }

    @Test func misspeltPathBehindNothingIsRefused() throws {
        let paths = [
            "department.titel", "department.head.nmae", "staff", "department.staff.@sum.aeg",
            "reports.@sum.aeg", "reports.department.titel", "reports.@smu.age",
            "department.title.lenght", "department.@count", "reports.@sum",
            "projects.@distinctUnionOfObjects.steps.lable", "name.lenght", "boss.name.@count",
        ]
        for path in paths {
            let error = failure { _ = try employee.observe(path) { _, _ in } }
            #expect(error?.code == .undefinedKey, "\(path)")
        }
        let error = failure { _ = try employee.observe("department.titel") { _, _ in } }
        #expect(error?.message.contains("Department") == true)
        #expect(error?.message.contains("titel") == true)
        #expect(error?.key == "titel")
    }

    @Test func pathThatIsRightBehindNothingIsTaken() throws {
        let paths = [
            "department.title", "department.head.name", "reports.@sum.age", "boss.budget",
            "reports.@max.hired", "department.staff.@count", "name.length", "boss.objectID",
            "department.title.uppercaseString", "projects.@distinctUnionOfObjects.steps.label",
            "boss.signature", "department.entity.name", "boss.self.name", "reports.@avg.self.age",
        ]
        for path in paths {
            #expect(throws: Never.self, "\(path)") { try employee.observe(path) { _, _ in } }
        }
    }
}
