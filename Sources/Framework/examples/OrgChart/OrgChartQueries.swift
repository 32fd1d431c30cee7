import ObjectGraph

/// Questions to the people of the organization chart, as format strings.
///
/// The same text selects the same people in memory and in every store.
struct OrgChartQueries {
    let context: ManagedObjectContext
    let output: Output

    private static let questions: [(kind: String, formats: [String])] = [
        (
            "Comparators",
            [
                "salary > 80000",
                "salary BETWEEN {50000, 70000}",
                #"name BEGINSWITH "J""#,
                #"name ENDSWITH "Becker""#,
                #"title CONTAINS "Head""#,
                #"name LIKE "J?n *""#,
                #"name MATCHES "[A-M].*""#,
                #"title IN {"Engineer", "Owner"}"#,
                "title == nil",
                "manager == nil",
            ]
        ),
        (
            "ANY, ALL, NONE: without employees ALL and NONE hold, so they are counted first",
            [
                "ANY employees.salary > 90000",
                "employees.@count > 0 AND ALL employees.salary > 60000",
                "employees.@count > 0 AND NONE employees.title == nil",
            ]
        ),
        (
            "Options of strings: c ignores case, d diacritics",
            [
                #"name CONTAINS "jon""#,
                #"name CONTAINS[c] "jon""#,
                #"name CONTAINS[d] "Jon""#,
                #"name CONTAINS[cd] "ZOE""#,
            ]
        ),
        (
            "Compounds",
            [
                "salary < 60000 AND title != nil",
                #"title == nil OR manager.name == "Ines Weber""#,
                "NOT salary < 90000",
                #"manager.manager.name == "Marta Jönsson" AND NOT title CONTAINS "Sales""#,
            ]
        ),
        (
            "Subqueries: two conditions on one and the same employee",
            [
                #"SUBQUERY(employees, $e, $e.salary > 60000 AND $e.title == "Engineer").@count > 1"#
            ]
        ),
        (
            "Aggregates",
            [
                "employees.@count == 1",
                "employees.@sum.salary > 175000",
                "employees.@avg.salary < 60000",
                "employees.@max.salary == 95000",
            ]
        ),
    ]

    func run() throws {
        for question in Self.questions {
            output.heading(question.kind)
            for format in question.formats { try ask(format) }
        }
        try sort()
        try group()
    }

    private func ask(_ format: String) throws {
        let people = try Person.all(
            in: context,
            where: Condition(FetchPredicate(format: format)),
            sortedBy: \.name.localizedStandard
        )
        output("  \(format)")
        output("    \(people.isEmpty ? "nobody" : people.map(\.name).joined(separator: ", "))")
    }

    private func sort() throws {
        output.heading("Sorts")
        let orders: [(String, [SortKey<Person>])] = [
            ("by name, as its bytes are", [SortKey(\.name)]),
            ("by name, ignoring case", [SortKey(\.name.caseInsensitive)]),
            (
                "by manager, then by salary from the top; those without a manager first",
                [SortKey(\.manager.name), SortKey(\.salary.descending)]
            ),
        ]
        for (title, order) in orders {
            output("  \(title)")
            var request = Person.fetchRequest()
            request.order = order
            let people = try context.fetch(request)
            output("    \(people.map(\.name).joined(separator: ", "))")
        }
    }

    /// Sums without objects: rows of numbers, made by the store.
    private func group() throws {
        output.heading("People and salaries by title")
        let request = FetchRequest<[String: GraphValue]>(
            of: Person.self,
            columns: [
                .property(\.title), .count(\.salary, as: "people"), .average(\.salary),
                .max(\.salary, as: "highest"),
            ],
            groupedBy: \.title,
            sortedBy: \.title
        )
        output.rows(
            [["title", "people", "average", "highest"]]
                + (try context.fetch(request).map { row in
                    [
                        String(value: row["title"] ?? nil) ?? "(none)",
                        Int(value: row["people"] ?? nil).map(String.init) ?? "",
                        Double(value: row["average"] ?? nil).map(\.oneDigit) ?? "",
                        Int(value: row["highest"] ?? nil).map(String.init) ?? "",
                    ]
                })
        )
    }
}
