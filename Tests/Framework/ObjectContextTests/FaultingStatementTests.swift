import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// Walking fetched objects costs a number of statements that does not depend on how many they are.
@Suite("Statements of a walk")
struct FaultingStatementTests {
    /// Departments with a head and members of staff, each in a project; projects with ordered steps
    /// and reviewers.
    ///
    /// The first twelve have two of each, the others one, so that a thousand
    /// departments lead to no more than one batch of 1,024 objects.
    private func bench(_ count: Int) throws -> StoreBench {
        let bench = try StoreBench(.sqlite)
        let context = bench.context()
        for index in 0..<count {
            let home = try context.make("Department", ["title": .string("d\(index)")])
            let project = try context.make("Project", ["code": .string("p\(index)")])
            let several = index < 12 ? 2 : 1
            let people = try (0..<several).map {
                try context.make("Employee", ["age": .int(Int64($0))])
            }
            for person in people { person["department"] = .object(home) }
            home["head"] = .object(people[0])
            project["members"] = .set(Set(people.map { .object($0) }))
            project["reviewers"] = .array(people.reversed().map { .object($0) })
            let steps = try ["a", "b"].prefix(several).map {
                try context.make("Step", ["label": .string($0)])
            }
            project["steps"] = .array(steps.map { .object($0) })
        }
        try context.save()
        let ids = try ["Department", "Employee", "Project", "Step"].flatMap {
            try context.fetch(FetchRequest<ManagedObjectID>(entityName: $0))
        }
        bench.coordinator.forgetRows(ids)
        return bench
    }

    /// The statements that a walk over all objects of an entity makes, its fetch included.
    private func statements(
        _ count: Int,
        _ entity: String,
        prefetching paths: [String] = [],
        _ walk: (ManagedObject) -> Int
    ) throws -> Int {
        let bench = try bench(count)
        let context = bench.context()
        var request = FetchRequest<ManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = paths
        bench.coordinator.startCounting()
        let objects = try context.fetch(request)
        let atOnce = bench.coordinator.counters.statements
        var seen = 0
        for object in objects { seen += walk(object) }
        #expect(seen >= count, "\(seen) values of \(count) objects")
        let all = bench.coordinator.counters.statements
        if !paths.isEmpty { #expect(all == atOnce, "nothing is read after prefetching") }
        return all
    }

    /// The same walk over 100 and over 1,000 objects.
    private func expectConstant(
        _ entity: String,
        prefetching paths: [String] = [],
        atMost limit: Int,
        _ walk: (ManagedObject) -> Int
    ) throws {
        let few = try statements(100, entity, prefetching: paths, walk)
        let many = try statements(1000, entity, prefetching: paths, walk)
        #expect(few == many && many <= limit, "\(few) statements for 100, \(many) for 1,000")
    }

    @Test func toOne() throws {
        try expectConstant("Department", atMost: 2) { home in
            home.object("head")?["age"] == 0 ? 1 : 0
        }
    }

    @Test func toMany() throws {
        try expectConstant("Department", atMost: 3) { home in
            home.list("staff").count { $0["age"] != .null }
        }
    }

    @Test func manyToMany() throws {
        try expectConstant("Project", atMost: 3) { project in
            project.list("members").count { $0["age"] != .null }
        }
    }

    @Test func orderedToMany() throws {
        try expectConstant("Project", atMost: 3) { project in
            let labels = project.list("steps").values("label")
            return labels == ["a", "b"] || labels == ["a"] ? 1 : 0
        }
    }

    @Test func orderedManyToMany() throws {
        try expectConstant("Project", atMost: 3) { project in
            let ages = project.list("reviewers").values("age")
            return ages == [1, 0] || ages == [0] ? 1 : 0
        }
    }

    @Test func twoSteps() throws {
        try expectConstant("Department", atMost: 5) { home in
            home.list("staff").reduce(0) { count, person in
                count + person.list("projects").count { $0["code"] != .null }
            }
        }
    }

    @Test func prefetchingTwoStepsReadsAllAtOnce() throws {
        try expectConstant(
            "Department",
            prefetching: ["staff.projects", "head"],
            atMost: 7
        ) { home in
            home.list("staff").reduce(home.object("head")?["age"] == 0 ? 1 : 0) { count, person in
                count + person.list("projects").count { $0["code"] != .null }
            }
        }
    }

    @Test func rowsThatAreFarApartAreReadTogether() throws {
        let bench = try StoreBench(.sqlite)
        let writer = bench.context()
        let all = try (0..<900).map {
            try writer.make("Employee", ["name": .string("p\($0)")])
        }
        try writer.save()
        for index in all.indices where index % 3 != 0 { writer.delete(all[index]) }
        try writer.save()
        let context = bench.context()
        let people = try context.all("Employee")
        bench.coordinator.forgetRows(people.map(\.objectID))
        bench.coordinator.startCounting()
        let names = Set(people.values("name"))
        let wanted = stride(from: 0, to: 900, by: 3).map { GraphValue.string("p\($0)") }
        #expect(names == Set(wanted))
        #expect(bench.coordinator.counters.statements <= 5)
    }

    @Test func refaultedObjectsFillFromTheRowCacheAgain() throws {
        let bench = try bench(100)
        let context = bench.context()
        let people = try context.all("Employee")
        _ = people.values("age")
        bench.coordinator.startCounting()
        for person in people { context.refresh(person, mergeChanges: false) }
        #expect(people.count { $0.isFault } == 112)
        #expect(people.values("age").count == 112)
        let counters = bench.coordinator.counters
        #expect(counters.statements == 0 && counters.faultsFired == 112)
        bench.coordinator.forgetRows(people.map(\.objectID))
        context.refreshAllObjects()
        #expect(people.values("age").count == 112)
        #expect(bench.coordinator.counters.statements == 1)
    }

    @Test func whatIsAskedForOfObjectsIsThereWithoutAnotherRead() throws {
        let bench = try bench(100)
        let context = bench.context()
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.propertiesToFetch = [.init("age"), .init("department")]
        bench.coordinator.startCounting()
        let people = try context.fetch(request)
        #expect(people.count { $0.isFault } == 112)
        #expect(people.values("age").count == 112 && !people[0]["department"].isNull)
        // Rows are whole, so the rest is there too.
        #expect(people[0]["salary"].isNull && people[0]["hired"].isNull)
        #expect(bench.coordinator.counters.statements == 1)
        for wrong in ["nobody", "projects", "department.staff"] {
            request.propertiesToFetch = [.init(wrong)]
            #expect(failure { _ = try context.fetch(request) }?.code == .invalidRequest, "\(wrong)")
        }
    }

    @Test func rowsAreFreshForTheStalenessInterval() throws {
        let bench = try bench(1)
        let context = bench.context()
        let person = try #require(try context.all("Employee").first)
        _ = person["age"]
        bench.coordinator.startCounting()
        func reads(_ interval: Duration?) -> Int {
            context.stalenessInterval = interval
            let before = bench.coordinator.counters.statements
            context.refresh(person, mergeChanges: false)
            _ = person["age"]
            return bench.coordinator.counters.statements - before
        }
        #expect(reads(nil) == 0)
        #expect(reads(.zero) == 1 && reads(.zero) == 1)
        // When the row was read is not known before somebody asks for its age.
        #expect(reads(.seconds(3600)) == 1)
        #expect(reads(.seconds(3600)) == 0 && reads(nil) == 0)
    }

    @Test func faultWithoutARowIsAnEmptyDeletedObject() throws {
        let bench = try bench(2)
        let (here, there) = (bench.context(), bench.context())
        let people = try here.all("Employee")
        let gone = people[0].objectID
        there.delete(there.object(with: gone))
        try there.save()
        #expect(people[0]["age"] == .null && people[0].isDeleted && people[0]["name"].isNull)
        #expect(people[1]["age"] != .null && !people[1].isDeleted)
        #expect(failure { _ = try here.existingObject(with: gone) }?.code == .referentialIntegrity)
        try here.save()
    }
}
