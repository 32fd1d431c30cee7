import FoundationEssentials
import ObjectContext
import ObjectModel
import SeededRandom

/// Random edits of the test graph through its public interface.
struct RandomGraph {
    let context: ManagedObjectContext
    var random: SeededRandom
    /// All objects ever made here, so that their identity can be checked after undo.
    private(set) var objects: [ManagedObject] = []

    init(_ context: ManagedObjectContext, seed: UInt64) {
        self.context = context
        random = SeededRandom(seed: seed)
    }

    /// The graph with its objects named by when they were made, whatever their IDs are by now.
    func dump() throws -> GraphDump {
        var names: [ObjectIdentifier: String] = [:]
        for (index, object) in objects.enumerated() {
            names[ObjectIdentifier(object)] = "\(object.entity.name)\(index)"
        }
        return try GraphDump(context) { names[ObjectIdentifier($0)] ?? "unknown" }
    }

    private func living(_ entity: String) -> [ManagedObject] {
        objects.filter { object in
            object.context === context && !object.isDeleted
                && object.entityNames.contains(entity)
        }
    }

    /// Makes one to five edits.
    mutating func edit() throws {
        for _ in 0...random.below(5) { try editOnce() }
    }

    private mutating func editOnce() throws {
        switch random.below(11) {
        case 10: try changeTags()
        case 0, 1, 2: try insert()
        case 3: delete()
        case 4, 5: setAttribute()
        case 6: setToOne()
        case 7, 8: changeToMany()
        default: reorder()
        }
    }

    private mutating func insert() throws {
        let entities = ["Employee", "Employee", "Manager", "Department", "Project", "Step"]
        guard let entity = random.draw(entities) else { return }
        objects.append(try context.insert(entityNamed: entity))
    }

    private mutating func delete() {
        // Not tags: what a relationship without inverse refers to is left dangling.
        let entities = ["Employee", "Department", "Project", "Step"]
        guard let entity = random.draw(entities), let object = random.draw(living(entity)) else {
            return
        }
        context.delete(object)
    }

    /// A tag is in one project only: without an inverse nothing would take it out of another.
    private mutating func changeTags() throws {
        guard let plan = random.draw(living("Project")), let slot = plan.slot("tags") else {
            return
        }
        if random.below(3) == 0,
            let tag = random.draw(plan.list("tags").sorted { $0.objectID < $1.objectID })
        {
            plan.remove(tag, fromRelationshipAt: slot)
        } else {
            let tag = try context.insert(entityNamed: "Tag")
            objects.append(tag)
            plan.insert(tag, intoRelationshipAt: slot)
        }
    }

    private mutating func setAttribute() {
        let names = [
            ("Employee", "name"), ("Employee", "age"), ("Department", "title"), ("Step", "label"),
            ("Manager", "budget"), ("Project", "code"),
        ]
        guard let (entity, key) = random.draw(names), let object = random.draw(living(entity))
        else {
            return
        }
        let number = Int64(random.below(5))
        object[key] = ["age", "budget"].contains(key) ? .int(number) : .string("v\(number)")
    }

    private mutating func setToOne() {
        let keys = [
            ("Employee", "department", "Department"), ("Employee", "heads", "Department"),
            ("Department", "head", "Employee"), ("Employee", "spouse", "Employee"),
            ("Employee", "boss", "Employee"), ("Step", "project", "Project"),
        ]
        guard let (entity, key, destination) = random.draw(keys),
            let object = random.draw(living(entity))
        else { return }
        let other = random.below(4) == 0 ? nil : random.draw(living(destination))
        object[key] = other.map { .object($0) } ?? .null
    }

    private mutating func changeToMany() {
        let keys = [
            ("Department", "staff", "Employee"), ("Employee", "projects", "Project"),
            ("Project", "members", "Employee"), ("Employee", "friends", "Employee"),
            ("Employee", "reports", "Employee"), ("Project", "steps", "Step"),
            ("Project", "reviewers", "Employee"), ("Employee", "reviews", "Project"),
        ]
        guard let (entity, key, destination) = random.draw(keys),
            let object = random.draw(living(entity)), let slot = object.slot(key)
        else { return }
        let others = living(destination)
        switch random.below(4) {
        case 0:
            let count = min(3, others.count)
            let some = others.shuffled(using: &random).prefix(random.below(count + 1))
            let values = some.map { GraphValue.object($0) }
            object[key] = .array(values)
        case 1:
            let members = object.list(key).filter { !$0.isDeleted }
                .sorted { $0.objectID < $1.objectID }
            if let other = random.draw(members) { object.remove(other, fromRelationshipAt: slot) }
        default:
            if let other = random.draw(others) { object.insert(other, intoRelationshipAt: slot) }
        }
    }

    private mutating func reorder() {
        let key = random.below(2) == 0 ? "steps" : "reviewers"
        guard let plan = random.draw(living("Project")) else { return }
        plan[key] = .array(plan.list(key).shuffled(using: &random).map { .object($0) })
    }
}

/// Whether both sides of every relationship agree, among the objects that are not deleted.
func inconsistencies(of context: ManagedObjectContext) throws -> [String] {
    var found: [String] = []
    for entity in context.model.entities where entity.superentityName == nil {
        for object in try context.all(entity.name) {
            for relationship in object.entity.relationships {
                for other in object.list(relationship.name) + [object.object(relationship.name)] {
                    guard let other else { continue }
                    if let issue = inconsistency(object, relationship, other) {
                        found.append(issue)
                    }
                }
                let list = object.list(relationship.name)
                if Set(list).count != list.count { found.append("\(object) twice in a list") }
            }
        }
    }
    return found
}

private func inconsistency(
    _ object: ManagedObject,
    _ relationship: RelationshipDescription,
    _ other: ManagedObject
) -> String? {
    let place = "\(object.objectID.uri).\(relationship.name) → \(other.objectID.uri)"
    guard let inverse = relationship.inverse else { return nil }
    if other.isDeleted || other.context !== object.context { return "\(place) is deleted" }
    let back = other.list(inverse.name) + [other.object(inverse.name)]
    return back.contains { $0 === object } ? nil : "\(place) does not lead back"
}
