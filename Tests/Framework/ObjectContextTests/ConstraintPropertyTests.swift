import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// Pairs of a one-to-one relationship are left out: two contexts that change them at once may leave
/// them torn, with or without collisions.
@Suite("Random upserts by two contexts")
struct ConstraintPropertyTests {
    @Test(arguments: [StoreType.sqlite, .inMemory], SeededRandom.seeds(15))
    func keysStayUniqueAndNothingRelatedIsLost(_ kind: StoreType, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bench = try StoreBench(kind, model: ConstraintGraph.model())
        let contexts = [bench.context(), bench.context()]
        for context in contexts { context.mergePolicy = .mergeByPropertyObjectTrump }
        var pets = 0
        var notes = 0
        for step in 0..<60 {
            let context = contexts[random.below(2)]
            let people = try context.all("Person").sorted { $0.objectID < $1.objectID }
            switch random.below(6) {
            case 0, 1, 2:
                let person = try context.make("Person", ["nick": .string("\(step)")])
                if random.below(4) > 0 { person["email"] = .string("\(random.below(6))") }
                if random.below(2) > 0 {
                    person["first"] = .string("\(random.below(3))")
                    person["last"] = .string("\(random.below(2))")
                }
                for _ in 0..<random.below(3) {
                    try context.make("Pet", ["owner": .object(person)])
                    pets += 1
                }
                for _ in 0..<random.below(2) {
                    try context.make("Note", ["person": .object(person)])
                    notes += 1
                }
                if let other = random.draw(people) { person["mentor"] = .object(other) }
                let clubs = try context.all("Club").sorted { $0.objectID < $1.objectID }
                let club = try random.draw(clubs) ?? context.make("Club")
                person["clubs"] = [.object(club)]
            case 3:
                random.draw(people)?["email"] = .string("\(random.below(6))")
            default:
                try context.save()
                try check(bench, "seed \(seed), step \(step)")
            }
        }
        for context in contexts + contexts { try context.save() }
        try check(bench, "seed \(seed), at the end")
        let fresh = bench.context()
        #expect(try fresh.all("Pet").count == pets, "seed \(seed)")
        #expect(try fresh.all("Note").count == notes, "seed \(seed)")
        let owners = try fresh.all("Pet") + fresh.all("Note")
        let isOwned = owners.allSatisfy { ($0.object("owner") ?? $0.object("person")) != nil }
        #expect(isOwned, "seed \(seed)")
        for context in contexts {
            context.refreshAllObjects()
            let (here, stored) = (try GraphDump(context), try GraphDump(fresh))
            #expect(here == stored, "seed \(seed): \(here.difference(from: stored))")
        }
    }

    private func check(_ bench: StoreBench, _ place: String) throws {
        let context = bench.context()
        let people = try context.all("Person")
        #expect(people.allSatisfy { $0.context === context && !$0["nick"].isNull }, "\(place)")
        let emails = people.values("email").filter { !$0.isNull }
        #expect(Set(emails).count == emails.count, "\(place)")
        let names = people.filter { !$0["first"].isNull && !$0["last"].isNull }
            .map { "\($0["first"]) \($0["last"])" }
        #expect(Set(names).count == names.count, "\(place)")
        for person in people {
            for pet in person.objects("pets") {
                #expect(pet.object("owner") === person, "\(place)")
            }
            for note in person.list("notes") {
                #expect(note.object("person") === person, "\(place)")
            }
            for club in person.objects("clubs") {
                #expect(club.objects("members").contains(person), "\(place)")
            }
        }
    }
}
