import ObjectGraph

/// Where tests are measured, each on a stack that has read nothing.
final class LabBench {
    private let environment: ExampleEnvironment
    private var container: PersistentContainer

    init(_ environment: ExampleEnvironment) throws {
        self.environment = environment
        container = try environment.open(LabModel.make(), LabModel.classes)
    }

    /// Makes the movies, if there are none; says what there is.
    func fill(_ size: Int) throws -> String {
        let context = container.newContext()
        if try Movie.count(in: context) == 0 {
            let studios = (0..<max(size / 20, 1)).map { number in
                let studio = context.insert(Studio.self)
                studio.name = "Studio \(digits(number))"
                return studio
            }
            let actors = (0..<max(size / 4, 3)).map { number in
                let actor = context.insert(Actor.self)
                actor.name = "Actor \(digits(number))"
                return actor
            }
            for number in 0..<size {
                let movie = context.insert(Movie.self)
                movie.title = "Movie \(digits(number))"
                movie.year = Int16(1_950 + number % 60)
                movie.rating = Double(number % 50) / 10
                movie.studio = studios[number % studios.count]
                // Three who are next to each other, so that everybody plays with many.
                movie.actors = Set((0..<3).map { actors[(number * 7 + $0) % actors.count] })
            }
            try context.save()
        }
        let counts = [
            counted(try Movie.count(in: context), "movie"),
            counted(try Actor.count(in: context), "actor"),
            counted(try Studio.count(in: context), "studio"),
        ]
        return counts.joined(separator: ", ")
    }

    func measure(_ test: any LabTest) throws -> LabResult {
        // Closing the store forgets the rows that were read; one in memory has nothing to read.
        if environment.store.isFile {
            container.close()
            container = try environment.open(LabModel.make(), LabModel.classes)
        }
        let context = container.newContext()
        container.coordinator.startCounting()
        let clock = ContinuousClock()
        let start = clock.now
        let results = try test.run(in: context)
        let time = clock.now - start
        container.coordinator.stopCounting()
        return LabResult(
            title: test.title,
            results: results,
            counters: container.coordinator.counters,
            time: time
        )
    }

    /// With zeros in front, so that names sort as their numbers do.
    private func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }
}
