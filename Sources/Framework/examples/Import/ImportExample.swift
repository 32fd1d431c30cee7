import ObjectGraph

/// A large import in the background: many rows, little memory, and no row twice.
///
/// The rows are made in a context with a thread of its own; what this thread gets are numbers, to
/// show the progress. An interface would go on meanwhile.
///
/// A batch is inserted, saved and released, so that memory holds one batch whatever the size of the
/// import. The progress is saved with each batch: an interrupted import continues at the same
/// place.
struct ImportExample: Example {
    let name = "import"
    let summary = "many rows in batches in the background; an interrupted import continues"
    let defaultSize: Int? = 5_000

    private static let batchSize = 1_000

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(ImportModel.make(), ImportModel.classes)
        let importer = BackgroundContext(coordinator: container.coordinator, name: "import")

        var done = try Waiting.result {
            try await importer.perform { Int(try ImportMarker.first(in: $0)?.rows ?? 0) }
        }
        let size = environment.size
        if done > 0 { output("\(done) rows are there from before.") }
        if done >= size { output("There is nothing left to import.") }
        var most = 0
        while done < size {
            let rows = done..<min(done + Self.batchSize, size)
            let count = try Waiting.result {
                try await importer.perform { try ImportExample.load(rows, $0) }
            }
            most = max(most, count)
            done = rows.upperBound
            output("  \(done) of \(size) rows, \(done * 100 / size) %")
        }
        if most > 0 {
            let now = try Waiting.result {
                await importer.perform { $0.registeredObjects.count }
            }
            output("\(counted(most, "object")) in memory at most, \(now) now.")
        }
        try summarize(container.viewContext, output)
    }

    /// One batch and its mark, in one transaction; returns the number of objects in memory.
    private static func load(_ rows: Range<Int>, _ context: ManagedObjectContext) throws -> Int {
        for row in rows {
            let line = WeatherFile.line(row)
            let reading = context.insert(Reading.self)
            reading.number = Int64(row)
            reading.station = line.station
            reading.celsius = line.celsius
        }
        let marker = try ImportMarker.first(in: context) ?? context.insert(ImportMarker.self)
        marker.rows = Int64(rows.upperBound)
        let count = context.registeredObjects.count
        try context.save()
        // Releases the batch; its objects must not be used any more.
        context.reset()
        return count
    }

    /// The store counts and averages: no object is created.
    private func summarize(_ context: ManagedObjectContext, _ output: Output) throws {
        let request = FetchRequest<[String: GraphValue]>(
            of: Reading.self,
            columns: [
                .property(\.station), .count(\.celsius, as: "readings"),
                .min(\.celsius, as: "coldest"), .average(\.celsius, as: "mean"),
                .max(\.celsius, as: "warmest"),
            ],
            groupedBy: \.station,
            sortedBy: \.station
        )
        output.heading("What is in the store")
        output.rows(
            [["station", "readings", "coldest", "mean", "warmest"]]
                + (try context.fetch(request).map { row in
                    let numbers = ["coldest", "mean", "warmest"].map { key in
                        Double(value: row[key] ?? nil)?.oneDigit ?? ""
                    }
                    return [
                        String(value: row["station"] ?? nil) ?? "",
                        "\(Int(value: row["readings"] ?? nil) ?? 0)",
                    ] + numbers
                })
        )
    }
}
