import FoundationEssentials
import ObjectGraph

enum OrgChartPeople {
    /// One person and those who report to them.
    private struct Post {
        let name: String
        let title: String?
        let salary: Int32
        let years: Double
        var employees: [Post] = []
    }

    private static let director = Post(
        name: "Marta Jönsson",
        title: "Director",
        salary: 120_000,
        years: 11,
        employees: [
            Post(
                name: "Lars Berg",
                title: "Head of Engineering",
                salary: 95_000,
                years: 9,
                employees: [
                    Post(name: "Zoë Becker", title: "Engineer", salary: 70_000, years: 4),
                    Post(name: "Jon Becker", title: "Engineer", salary: 64_000, years: 1),
                    Post(name: "ana Silva", title: nil, salary: 38_000, years: 0.5),
                ]
            ),
            Post(
                name: "Ines Weber",
                title: "Head of Sales",
                salary: 88_000,
                years: 7,
                employees: [
                    Post(name: "Paul Adams", title: "Salesman", salary: 52_000, years: 3)
                ]
            ),
        ]
    )

    static func fill(_ context: ManagedObjectContext, today: Date) {
        let works = context.insert(Organization.self)
        works.name = "Northern Works"
        works.leader = insert(director, manager: nil, context, today)
        let books = context.insert(Organization.self)
        books.name = "Rosa's Books"
        let owner = Post(name: "Rosa Lind", title: "Owner", salary: 45_000, years: 2)
        books.leader = insert(owner, manager: nil, context, today)
    }

    @discardableResult
    private static func insert(
        _ post: Post,
        manager: Person?,
        _ context: ManagedObjectContext,
        _ today: Date
    ) -> Person {
        let person = context.insert(Person.self)
        person.name = post.name
        person.title = post.title
        person.salary = post.salary
        person.hired = today.addingTimeInterval(-post.years * 365.25 * 86_400)
        // One side is enough: the framework keeps `employees` of the manager in step.
        person.manager = manager
        for employee in post.employees { insert(employee, manager: person, context, today) }
        return person
    }
}
