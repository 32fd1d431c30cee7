import FoundationEssentials
import ObjectContext
import ObjectGraph
import ObjectModel
import Testing

/// Collection operators over to-many relationships of to-many relationships, in memory and in SQL.
@Suite("Nested collection operators")
struct NestedOperatorTests {
    private final class Company: ManagedObject {
        @Managed var name: String
        @Managed(inverse: \.company) var departments: Set<Department>
        @Managed(inverse: \.customer) var orders: Set<Order>
    }
    private final class Department: ManagedObject {
        @Managed var name: String
        @Managed var company: Company?
        @Managed(inverse: \.departments) var employees: Set<Employee>
    }
    private final class Employee: ManagedObject {
        @Managed var name: String
        @Managed var age: Int?
        @Managed var departments: Set<Department>
    }
    private final class Order: ManagedObject {
        @Managed var number: Int
        @Managed var customer: Company?
        @Managed(inverse: \.order) var lines: Set<Line>
    }
    private final class Line: ManagedObject {
        @Managed var amount: Int?
        @Managed var price: Double
        @Managed var order: Order?
    }

    private static let stores: [StoreType] = [.sqlite, .inMemory, .xml]

    /// Two companies with shared employees and equal amounts, and one with nothing.
    private func makeContext(_ store: StoreType) throws -> ManagedObjectContext {
        var options = StoreOptions()
        options.type = store
        let folder = FileManager.default.temporaryDirectory
        let url = folder.appending(path: "nested-\(UUID().uuidString)")
        let container = try PersistentContainer(
            for: Company.self,
            url: store == .inMemory ? nil : url,
            options: options
        )
        let context = container.viewContext
        func employee(_ name: String, _ age: Int?) -> Employee {
            let employee = context.insert(Employee.self)
            (employee.name, employee.age) = (name, age)
            return employee
        }
        let (ann, bob, cid) = (employee("Ann", 30), employee("Bob", 40), employee("Cid", nil))
        for (name, groups, orders) in [
            ("A", [[ann, bob], [ann, cid], []], [[5, 5, 1], [5], []]),
            ("B", [[cid]], [[nil, 2], [100]]),
            ("C", [], []),
        ] as [(String, [[Employee]], [[Int?]])] {
            let company = context.insert(Company.self)
            company.name = name
            for (index, group) in groups.enumerated() {
                let department = context.insert(Department.self)
                department.name = "\(name)\(index)"
                department.employees = Set(group)
                department.company = company
            }
            for (index, amounts) in orders.enumerated() {
                let order = context.insert(Order.self)
                order.number = index
                order.customer = company
                for amount in amounts {
                    let line = context.insert(Line.self)
                    (line.amount, line.price, line.order) = (amount, 0.5, order)
                }
            }
        }
        try context.save()
        return context
    }

    @Test func valuesByKeyPath() throws {
        let context = try makeContext(.inMemory)
        func value(_ name: String, _ path: String) throws -> GraphValue {
            try #require(try Company.find(by: \.name, name, in: context)).value(forKeyPath: path)
        }
        let union = try value("A", "departments.@unionOfArrays.employees").elements ?? []
        #expect(union.count == 4 && Set(union).count == 3)
        let distinct = try value("A", "departments.@distinctUnionOfSets.employees")
        #expect(distinct.kindName == "set" && distinct.elements?.count == 3)
        #expect(try value("A", "departments.@distinctUnionOfArrays.employees").elements?.count == 3)
        #expect(
            try value("A", "departments.@distinctUnionOfSets.employees.name")
                == .set(["Ann", "Bob", "Cid"])
        )
        #expect(try value("A", "orders.@sum.lines.amount") == 16)
        #expect(try value("A", "orders.@avg.lines.amount") == 4)
        #expect(try value("A", "orders.@max.lines.amount") == 5)
        #expect(try value("A", "orders.@min.lines.amount") == 1)
        #expect(try value("A", "orders.@sum.lines.@sum.amount") == 16)
        #expect(try value("A", "orders.@max.lines.@count") == 3)
        #expect(try value("B", "orders.@sum.lines.amount") == 102)
        #expect(try value("B", "orders.@sum.lines.price") == 1.5)
        #expect(try value("C", "orders.@sum.lines.amount") == 0)
        #expect(try value("C", "orders.@avg.lines.amount").isNull)
        #expect(try value("C", "departments.@unionOfArrays.employees") == [])
    }

    private static let formats = [
        "orders.@sum.lines.amount == 16", "orders.@sum.lines.amount > 20",
        "orders.@sum.lines.amount == 0", "orders.@avg.lines.amount == 4",
        "orders.@max.lines.amount == 100", "orders.@min.lines.amount == 1",
        "orders.@min.lines.amount == nil", "orders.@sum.lines.price >= 1.5",
        "orders.@sum.lines.@sum.amount == 16", "orders.@max.lines.@count == 3",
        "orders.@sum.lines.@count >= 3", "orders.@max.lines.@sum.amount == 11",
        "ANY departments.@unionOfArrays.employees.name == 'Bob'",
        "NOT (ANY departments.@unionOfArrays.employees.name == 'Bob')",
        "ANY departments.@distinctUnionOfSets.employees.age > 35",
        "ALL departments.@unionOfArrays.employees.age >= 31",
        "ANY departments.@unionOfArrays.employees.age == nil",
        "count(departments.@unionOfArrays.employees) == 4",
        "count(departments.@distinctUnionOfSets.employees) == 3",
        "count(departments.@unionOfArrays.employees.name) > 0",
        "count(departments.@distinctUnionOfArrays.employees.name) == 3",
        "SUBQUERY(departments.@unionOfArrays.employees, $e, $e.age > 25).@count > 1",
        "SUBQUERY(departments.@distinctUnionOfSets.employees, $e, $e.age > 25).@count == 2",
        "'Cid' IN departments.@unionOfArrays.employees.name",
        "departments.@unionOfArrays.employees.name CONTAINS 'Ann'",
        "count(departments.@unionOfObjects.name) == 3",
        "ANY departments.@distinctUnionOfObjects.name == 'B0'",
        "sum(departments.@unionOfArrays.employees.age) == 70",
        "max(departments.@unionOfArrays.employees.age) == 40",
        "SUBQUERY(orders, $o, $o.lines.@sum.amount > 10).@count == 1",
    ]

    @Test(arguments: stores)
    func predicatesFindTheSameInEveryStore(_ store: StoreType) throws {
        let context = try makeContext(store)
        let companies = try Company.all(in: context)
        for format in Self.formats {
            let predicate = try FetchPredicate(format: format)
            let expected = try companies.filter { try predicate.evaluate(with: $0) }.map(\.name)
            let request = FetchRequest<ManagedObject>(entityName: "Company", predicate: predicate)
            let found = try context.fetch(request).compactMap { ($0 as? Company)?.name }
            #expect(Set(found) == Set(expected), "\(store): \(format)")
            // Not all of them, so that the comparison means something.
            #expect(expected.count < 3, "\(format)")
        }
    }

    @Test func operatorsOfObjectsAreTranslatedToSQL() throws {
        let context = try makeContext(.sqlite)
        for format in [
            "orders.@sum.lines.amount > 20", "orders.@sum.lines.@sum.amount > 20",
            "ANY departments.@unionOfArrays.employees.name == 'Bob'",
            "count(departments.@distinctUnionOfSets.employees) == 3",
            "SUBQUERY(departments.@unionOfArrays.employees, $e, $e.age > 25).@count > 1",
        ] {
            let request = FetchRequest<ManagedObject>(
                entityName: "Company",
                predicate: try FetchPredicate(format: format)
            )
            let store = try #require(context.coordinator.openStores.first)
            let entity = try #require(context.model.entity(named: "Company"))
            let answer = try store.fetch(
                FetchPlan(
                    request: request.description,
                    entity: entity,
                    appliesWindow: true,
                    loadsRows: false
                )
            )
            #expect(answer.remainder == nil, "\(format)")
        }
    }

    @Test func typedConditionsSumOverMembersOfMembers() throws {
        let context = try makeContext(.sqlite)
        let rich = try Company.all(
            in: context,
            where: { $0.orders.sum { $0.lines.sum(\.amount) } > 20 }
        )
        #expect(rich.map(\.name) == ["B"])
    }
}
