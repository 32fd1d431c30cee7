import ObjectGraph

/// An organization, its people and who reports to whom; then queries about them.
struct OrgChartExample: Example {
    let name = "orgchart"
    let summary = "employees and managers; queries of every kind with their results"

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(OrgChartModel.make(), OrgChartModel.classes)
        let context = container.viewContext
        if try Organization.count(in: context) == 0 {
            OrgChartPeople.fill(context, today: environment.now)
            try context.save()
        }

        for organization in try Organization.all(in: context, sortedBy: \.name) {
            output(organization.name)
            if let leader = organization.leader { draw(leader, depth: 1, output) }
        }
        try OrgChartQueries(context: context, output: output).run()
    }

    /// Prints a person and, indented, everybody below.
    private func draw(_ person: Person, depth: Int, _ output: Output) {
        let title = person.title.map { ", \($0)" } ?? ""
        output(String(repeating: "  ", count: depth) + person.name + title)
        // Each level is read at once when its first person is asked.
        for employee in person.employees.sorted(by: { $0.name < $1.name }) {
            draw(employee, depth: depth + 1, output)
        }
    }
}
