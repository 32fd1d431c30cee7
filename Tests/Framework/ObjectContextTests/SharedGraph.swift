import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom

/// Two entities that are linked by every kind of relationship under every delete rule, one of them with
/// a subentity.
enum SharedGraph {
    static func model() -> ManagedObjectModel {
        func toMany(
            _ name: String,
            _ inverse: String?,
            _ rule: DeleteRule = .nullify,
            to entity: String = "Member",
            ordered: Bool = false
        ) -> RelationshipDescription {
            RelationshipDescription(
                name,
                to: entity,
                inverse: inverse,
                toMany: true,
                ordered: ordered,
                deleteRule: rule
            )
        }
        func toOne(
            _ name: String,
            _ inverse: String?,
            _ rule: DeleteRule = .nullify,
            to entity: String = "Owner"
        ) -> RelationshipDescription {
            RelationshipDescription(name, to: entity, inverse: inverse, deleteRule: rule)
        }
        let owner = EntityDescription(
            "Owner",
            [
                AttributeDescription("name", .string),
                toMany("plain", "plainOwner"),
                toMany("parts", "partOwner", .cascade),
                toMany("guarded", "guardedOwner", .deny),
                toMany("loose", "looseOwner", .noAction),
                toMany("steps", "stepOwner", ordered: true),
                toMany("chapters", "chapterOwner", .cascade, ordered: true),
                toMany("pairs", "pairs"),
                toMany("ranked", "rankers", ordered: true),
                toMany("tags", nil, to: "Tag"),
                toOne("partner", "partner", to: "Member"),
                toOne("single", "single", .cascade, to: "Member"),
                toOne("favourite", nil, to: "Member"),
            ]
        )
        let member = EntityDescription(
            "Member",
            [
                AttributeDescription("name", .string),
                toOne("plainOwner", "plain"),
                toOne("partOwner", "parts"),
                toOne("guardedOwner", "guarded"),
                toOne("looseOwner", "loose"),
                toOne("stepOwner", "steps"),
                toOne("chapterOwner", "chapters"),
                toMany("pairs", "pairs", to: "Owner"),
                toMany("rankers", "ranked", to: "Owner"),
                toOne("partner", "partner"),
                toOne("single", "single"),
                toOne("parent", "children", to: "Member"),
                toMany("children", "parent", .cascade),
                toMany("friends", "friends"),
                toOne("twin", "twin", to: "Member"),
            ]
        )
        let leader = EntityDescription(
            "Leader",
            superentity: "Member",
            [toOne("idol", nil)]
        )
        let tag = EntityDescription("Tag", [AttributeDescription("name", .string)])
        return ManagedObjectModel([owner, member, leader, tag])
    }

    static func sqlite(_ url: URL) throws -> PersistentStoreCoordinator {
        let coordinator = try PersistentStoreCoordinator(model: model())
        coordinator.add(try SQLiteStore(url: url, model: coordinator.model))
        return coordinator
    }

    static func memory() throws -> PersistentStoreCoordinator {
        let coordinator = try PersistentStoreCoordinator(model: model())
        coordinator.add(try InMemoryStore(model: coordinator.model))
        return coordinator
    }

    /// References in the store that lead nowhere, but for those that `noAction` leaves.
    static func dangling(in fresh: ManagedObjectContext) throws -> [String] {
        var all: [ManagedObject] = []
        for entity in ["Owner", "Member", "Tag"] { all += try fresh.all(entity) }
        let present = Set(all.map(\.objectID))
        return all.flatMap { object in
            object.entity.relationships.filter { $0.name != "looseOwner" }.flatMap { relationship in
                object.ids(relationship).filter { !present.contains($0) }.map {
                    "\(object.objectID.uri).\(relationship.name) → \($0.uri)"
                }
            }
        }
    }

    /// Where the clean objects of a context show something else than the store holds.
    static func outdated(
        in context: ManagedObjectContext,
        _ fresh: ManagedObjectContext
    ) throws -> [String] {
        var found: [String] = []
        for entity in ["Owner", "Member", "Tag"] { _ = try fresh.all(entity) }
        for object in context.registeredObjects.sorted(by: { $0.objectID < $1.objectID })
        where !object.hasChanges && !object.isFault {
            guard let stored = try? fresh.existingObject(with: object.objectID) else {
                found.append("\(object.objectID.uri) is gone")
                continue
            }
            for relationship in object.entity.relationships {
                // Of what is pending here, the store knows something else.
                func clean(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
                    ids.filter { context.registeredObject(for: $0)?.hasChanges != true }
                }
                let here = clean(object.ids(relationship))
                let there = clean(stored.ids(relationship))
                let isSame = relationship.isOrdered ? here == there : Set(here) == Set(there)
                if isSame { continue }
                func names(_ ids: [ManagedObjectID]) -> String {
                    ids.map { $0.uri.suffix(4) }.joined(separator: " ")
                }
                found.append(
                    "\(object.objectID.uri).\(relationship.name): \(names(here)); stored: "
                        + names(there)
                )
            }
            if object["name"] != stored["name"] { found.append("\(object.objectID.uri).name") }
        }
        return found
    }
}

extension ManagedObject {
    /// The IDs at the end of a relationship, in order if ordered.
    func ids(_ relationship: RelationshipDescription) -> [ManagedObjectID] {
        if relationship.isToMany { return list(relationship.name).map(\.objectID) }
        return object(relationship.name).map { [$0.objectID] } ?? []
    }
}

/// One context that makes random changes beside others.
struct SharedGraphEditor {
    let context: ManagedObjectContext
    var random: SeededRandom
    private(set) var saves = 0
    private(set) var conflicts = 0
    private(set) var denials = 0

    init(_ context: ManagedObjectContext, _ random: SeededRandom) {
        self.context = context
        self.random = random
        context.retainsRegisteredObjects = true
    }

    /// The objects that are known here: others may have deleted some.
    private func living(_ entity: String) -> [ManagedObject] {
        context.registeredObjects
            .filter { !$0.isDeleted && $0.entityNames.contains(entity) }
            .sorted { $0.objectID < $1.objectID }
    }

    mutating func edit() throws {
        switch random.below(20) {
        case 0, 1:
            let entities = ["Owner", "Member", "Member", "Leader", "Tag"]
            if living("Member").count < 12 { try context.make(random.pick(entities)) }
        case 2, 3:
            let entity = random.pick(["Owner", "Owner", "Member", "Tag"])
            if let object = random.draw(living(entity)) { context.delete(object) }
        case 4:
            let entity = random.pick(["Owner", "Member"])
            random.draw(living(entity))?["name"] = .string("v\(random.below(4))")
        case 5:
            // Reads all that an object has.
            guard let object = random.draw(living(random.pick(["Owner", "Member"]))) else { return }
            for relationship in object.entity.relationships { _ = object[relationship.name] }
        case 6:
            for entity in ["Owner", "Member", "Tag"] { _ = try context.all(entity) }
        default: changeLink()
        }
    }

    private mutating func changeLink() {
        guard let object = random.draw(living(random.pick(["Owner", "Owner", "Member"]))),
            let relationship = random.draw(object.entity.relationships)
        else { return }
        let others = living(relationship.destinationName)
        guard relationship.isToMany else {
            let other = random.chance(4) ? nil : random.draw(others)
            object[relationship.name] = other.map { .object($0) } ?? .null
            return
        }
        guard let slot = object.slot(relationship.name) else { return }
        let members = object.list(relationship.name).sorted { $0.objectID < $1.objectID }
        switch random.below(4) {
        case 0:
            if let other = random.draw(members) { object.remove(other, fromRelationshipAt: slot) }
        case 1 where relationship.isOrdered:
            let order = object.list(relationship.name).shuffled(using: &random)
            object[relationship.name] = .array(order.map { .object($0) })
        default:
            var others = others
            // Without an inverse nothing would take it out of another list in this context.
            if relationship.name == "tags" {
                let taken = living("Owner").flatMap { $0.list("tags") }
                others.removeAll { taken.contains($0) }
            }
            if let other = random.draw(others) { object.insert(other, intoRelationshipAt: slot) }
        }
    }

    /// Saves; after a refused save the objects that the error names are read again, or everything is
    /// given up.
    mutating func save() throws -> Bool {
        do {
            try context.save()
            saves += 1
            return true
        } catch let error as ObjectGraphError where error.code == .mergeConflict {
            conflicts += 1
            precondition(!error.objectIDs.isEmpty)
            for id in error.objectIDs where random.chance(2) && !id.isTemporaryID {
                let keeps = random.chance(2)
                context.registeredObject(for: id).map { context.refresh($0, mergeChanges: keeps) }
            }
        } catch let error as ObjectGraphError
            where error.code == .deleteDenied || error.code == .multipleErrors
        {
            denials += 1
        }
        if random.chance(2) { context.rollback() }
        return false
    }
}
