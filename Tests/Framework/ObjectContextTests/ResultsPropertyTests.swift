import ObjectContext
import ObjectModel
import SeededRandom
import Testing

/// The rules that every change of a results controller follows.
private func violations(_ change: ResultsChange) -> [String] {
    var found: [String] = []
    var seen: Set<ManagedObjectID> = []
    var doubled: Set<ManagedObjectID> = []
    if change.isEmpty { found.append("an empty change was reported") }
    for object in change.objects {
        let id: ManagedObjectID
        switch object {
        case .delete(let deleted, _): id = deleted
        case .insert(let inserted, _): id = inserted
        case .update(let updated, _, _):
            id = updated
            if seen.contains(id) { found.append("\(id) is updated and more") }
        case .move(let moved, let from, let to):
            id = moved
            // A section that went and came again takes its rows along.
            let isNew = change.sections.contains { section in
                if case .insert(_, let index) = section { index == to.section } else { false }
            }
            if from == to, !isNew {
                found.append("\(id) moves to where it is")
            }
        }
        if !seen.insert(id).inserted { doubled.insert(id) }
    }
    // Only where sections came or went can another one stand at the same path.
    if change.sections.isEmpty {
        found += doubled.map { "\($0) is deleted and inserted" }
    }
    return found
}

@Suite("Random histories of a results controller")
struct ResultsPropertyTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var format: String?
        var keys: [String]
        var section: String?

        var testDescription: String { "\(format ?? "all") \(keys) \(section ?? "")" }
    }

    static let shapes = [
        Shape(format: nil, keys: ["name"], section: nil),
        Shape(format: "age > 1", keys: ["name", "age"], section: nil),
        Shape(format: nil, keys: ["code", "name"], section: "code"),
        Shape(format: "age < 3", keys: ["code", "-age"], section: "code"),
        Shape(format: "department.title != 'd1'", keys: ["name"], section: nil),
        Shape(format: nil, keys: ["department.title", "name"], section: "department.title"),
        Shape(format: "ANY projects.code == 'p1'", keys: ["-name"], section: nil),
    ]

    @Test(arguments: shapes, SeededRandom.seeds(25))
    func changesLeadFromTheOldRowsToTheNew(_ shape: Shape, _ seed: UInt64) throws {
        let context = try TestGraph.context()
        let other = context.sibling()
        context.mergePolicy = .mergeByPropertyObjectTrump
        other.mergePolicy = .mergeByPropertyObjectTrump
        var random = SeededRandom(seed: seed)
        var here = PeopleHistory(context)
        var there = PeopleHistory(other)
        for _ in 0..<8 { try here.edit(&random) }
        try context.save()
        let keys = shape.keys.map {
            $0.first == "-"
                ? FetchSortDescriptor(String($0.dropFirst()), ascending: false)
                : FetchSortDescriptor($0)
        }
        let mirror = try ResultsMirror(
            context,
            "Employee",
            where: shape.format,
            sort: keys,
            sections: shape.section
        )
        for step in 0..<25 {
            switch random.below(8) {
            case 0: try context.save()
            case 1:
                for _ in 0..<3 { try there.edit(&random) }
                try here.take(try there.save())
            default: for _ in 0...random.below(3) { try here.edit(&random) }
            }
            context.processPendingChanges()
            let place = "seed \(seed), step \(step)"
            for change in mirror.take() {
                #expect(violations(change) == [], "\(place)")
            }
            #expect(mirror.rows == mirror.controller.snapshot, "\(place)")
            let fresh = try FetchedResultsController(
                request: mirror.controller.request,
                context: context,
                sectionNameKeyPath: shape.section
            )
            try fresh.performFetch()
            #expect(mirror.rows == fresh.snapshot, "\(place)")
        }
    }
}

/// Random changes of employees, their departments and projects in one context.
struct PeopleHistory {
    let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    mutating func edit(_ random: inout SeededRandom) throws {
        let people = try context.all("Employee")
        let person = random.draw(people)
        switch random.below(12) {
        case 0, 1, 2: try insert(&random)
        case 3: if let person { context.delete(person) }
        case 4, 5: person?["name"] = .string("n\(random.below(6))")
        case 6: person?["age"] = .int(Int64(random.below(4)))
        case 7: person?["code"] = .string("s\(random.below(3))")
        case 8: person?["salary"] = .double(Double(random.below(9)))
        case 9: person?["department"] = try department(&random).map { .object($0) } ?? .null
        case 10: try department(&random)?["title"] = .string("d\(random.below(3))")
        default:
            let project = try random.draw(context.all("Project"))
            project?["code"] = .string("p\(random.below(2))")
            if let project, let person, let slot = person.slot("projects") {
                person.insert(project, intoRelationshipAt: slot)
            }
        }
    }

    private func department(_ random: inout SeededRandom) throws -> ManagedObject? {
        try random.draw(context.all("Department"))
    }

    private func insert(_ random: inout SeededRandom) throws {
        switch random.below(6) {
        case 0: try context.make("Department", ["title": .string("d\(random.below(3))")])
        case 1: try context.make("Project", ["code": .string("p\(random.below(2))")])
        default:
            try context.make(
                random.below(4) == 0 ? "Manager" : "Employee",
                [
                    "name": .string("n\(random.below(6))"), "code": .string("s\(random.below(3))"),
                    "age": .int(Int64(random.below(4))),
                ]
            )
        }
    }

    /// Saves, and gives what was saved for another context to merge.
    func save() throws -> [ObjectIDChanges] {
        var saved: [ObjectIDChanges] = []
        let token = context.notifications.addObserver(of: ContextDidSave.self, from: context) {
            saved.append($0.changes)
        }
        defer { context.notifications.removeObserver(token) }
        try context.save()
        return saved
    }

    func take(_ changes: [ObjectIDChanges]) throws {
        for change in changes { context.mergeChanges(change) }
    }
}
