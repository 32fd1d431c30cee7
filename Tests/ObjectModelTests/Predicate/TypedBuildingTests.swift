import FoundationEssentials
import ObjectModel
import Testing

private final class Job: KeyTableCoding, KeyPathNaming {
    var title = ""
    var due: Date?
    var priority = 0
    var place: Place?
    var tags: [Tag] = []

    static let title = Key<Job, String>("title")
    static let due = Key<Job, Date?>("due")
    static let start = Key<Job, Date?>("start")
    static let priority = Key<Job, Int>("priority")
    static let place = Key<Job, Place?>("place")
    static let home = Key<Job, Place>("home")
    static let tags = Key<Job, Set<Tag>>("tags")

    static let keyTable: AnyKeyTable = KeyTable<Job> {
        $0.key("title", \.title)
        $0.key("due", \.due)
        $0.key("priority", \.priority)
        $0.toOne("place", \.place)
        $0.toMany("tags", \.tags)
    }

    static func key(for keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \Job.title: "title"
        case \Job.due: "due"
        case \Job.priority: "priority"
        default: nil
        }
    }
}

private final class Place: KeyTableCoding {
    var name = ""
    var city: Place?

    static let name = Key<Place, String?>("name")
    static let city = Key<Place, Place?>("city")

    static let keyTable: AnyKeyTable = KeyTable<Place> { $0.key("name", \.name) }
}

private final class Tag: KeyTableCoding, Hashable {
    var name = ""

    static let name = Key<Tag, String>("name")
    static let weight = Key<Tag, Int>("weight")

    static let keyTable: AnyKeyTable = KeyTable<Tag> { $0.key("name", \.name) }

    static func == (left: Tag, right: Tag) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Predicates written in Swift are the trees that the parser makes.
private class Organisation {
    static let name = Key<Organisation, String?>("name")
    static let rank = Key<Organisation, Int>("rank")
    static let parent = Key<Organisation, Company?>("parent")
    static let seat = Key<Organisation, Place?>("seat")
}

private final class Company: Organisation, Hashable {
    static let shares = Key<Company, Int>("shares")

    static func == (left: Company, right: Company) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Worker {
    static let employer = Key<Worker, Company?>("employer")
    static let landlord = Key<Worker, Company>("landlord")
    static let clubs = Key<Worker, Set<Company>>("clubs")
}

@Suite struct TypedBuildingTests {
    private let now = Date(timeIntervalSinceReferenceDate: 1_000)

    private func expect(
        _ predicate: FetchPredicate,
        _ format: String,
        _ arguments: (any FetchOperand)?...
    ) throws {
        let parsed = try FetchPredicate(
            format: format,
            argumentArray: arguments.map { $0?.operandValue ?? .null }
        )
        #expect(predicate == parsed, "\(predicate.format)")
    }

    @Test func comparisonsAndCompounds() throws {
        try expect(Job.due < now && Job.priority >= 2, "due < %@ AND priority >= 2", now)
        try expect(
            Job.priority == 1 && Job.priority != 2 && Job.priority > 3,
            "priority == 1 AND priority != 2 AND priority > 3"
        )
        try expect(
            Job.priority <= 1 || !(Job.title == "x") || Job.due == nil,
            "priority <= 1 OR NOT title == 'x' OR due == nil"
        )
        try expect(Job.start < Job.due, "start < due")
        try expect(Job.due.isNil || Job.due.isNotNil, "due == nil OR due != nil")
        try expect(Job.priority.in([1, 2]), "priority IN {1, 2}")
        try expect(Job.priority.between(1, 5), "priority BETWEEN {1, 5}")
        try expect(Job.due.compare(.less, .variable("now")), "due < $now")
    }

    @Test func textOperators() throws {
        try expect(Job.title.contains("x", .cd), "title CONTAINS[cd] 'x'")
        try expect(Job.title.beginsWith("x", .c), "title BEGINSWITH[c] 'x'")
        try expect(Job.title.endsWith("x"), "title ENDSWITH 'x'")
        try expect(Job.title.like("x*", .d), "title LIKE[d] 'x*'")
        try expect(Job.title.matches("x+"), "title MATCHES 'x+'")
        try expect(Job.place.name.equals("x", .cd), "place.name ==[cd] 'x'")
    }

    @Test func relationships() throws {
        let place = Place()
        try expect(Job.place == place, "place == %@", place)
        try expect(Job.place != place, "place != %@", place)
        try expect(Job.place == nil, "place == nil")
        try expect(Job.home == place, "home == %@", place)
        try expect(Job.place.in([place]), "place IN %@", Value.array([.object(place)]))
        try expect(Job.place.city.name == "x", "place.city.name == 'x'")
        try expect(Job.home.name == "x", "home.name == 'x'")
    }

    @Test func inheritedKeysThroughRelationships() throws {
        try expect(Worker.employer.name == "x", "employer.name == 'x'")
        try expect(Worker.landlord.name == "x", "landlord.name == 'x'")
        try expect(Worker.employer.parent.name.isNil, "employer.parent.name == nil")
        try expect(Worker.employer.parent.seat.name == "x", "employer.parent.seat.name == 'x'")
        try expect(Worker.employer.shares > 3, "employer.shares > 3")
        try expect(Worker.clubs.any(Company.name == "x"), "ANY clubs.name == 'x'")
        try expect(Worker.clubs.sum(Company.rank) > 2, "clubs.@sum.rank > 2")
        try expect(Worker.clubs.max(Company.shares) > 2, "clubs.@max.shares > 2")
        #expect(Worker.employer.name.sorted() == FetchSortDescriptor("employer.name"))
        #expect(Worker.employer.appending(Company.name).path == "employer.name")
    }

    @Test func collections() throws {
        let tag = Tag()
        try expect(Job.tags.any(Tag.name == "x"), "ANY tags.name == 'x'")
        try expect(Job.tags.all(Tag.name == "x"), "ALL tags.name == 'x'")
        try expect(Job.tags.none(Tag.name == "x"), "NONE tags.name == 'x'")
        try expect(Job.tags.contains(tag), "tags CONTAINS %@", tag)
        try expect(Job.tags.count > 2, "tags.@count > 2")
        try expect(Job.tags.sum(Tag.weight) > 2, "tags.@sum.weight > 2")
        try expect(Job.tags.max(Tag.weight) > 2, "tags.@max.weight > 2")
        try expect(
            Job.tags.any(Tag.name == "x" && Tag.weight > 2),
            "SUBQUERY(tags, $member, $member.name == 'x' AND $member.weight > 2).@count > 0"
        )
        try expect(
            Job.tags.all(Tag.name == "x" || Tag.weight > 2),
            "SUBQUERY(tags, $member, NOT ($member.name == 'x' OR $member.weight > 2)).@count == 0"
        )
    }

    @Test func keyPathsOfSwift() throws {
        let condition = \Job.due < now && \.priority >= 2 && !(\Job.title == "x")
        try expect(
            FetchPredicate(condition),
            "due < %@ AND priority >= 2 AND NOT title == 'x'",
            now
        )
        try expect((\Job.title).key.contains("a"), "title CONTAINS 'a'")
    }

    @Test func builtPredicatesSelect() throws {
        let job = Job()
        job.priority = 3
        job.tags = [Tag()]
        job.tags[0].name = "home"
        #expect(try (Job.priority > 2 && Job.due.isNil).evaluate(with: job))
        #expect(try Job.tags.any(Tag.name.contains("OM", .c)).evaluate(with: job))
        #expect(try !Job.tags.none(Tag.name == "home").evaluate(with: job))
        #expect(try Job.place.name.contains("x").evaluate(with: job) == false)
        #expect(
            Job.priority.sorted(ascending: false)
                == FetchSortDescriptor("priority", ascending: false)
        )
    }
}
