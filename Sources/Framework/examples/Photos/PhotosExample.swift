import FoundationEssentials
import ObjectGraph

/// Photos of a service and who took them.
struct PhotosExample: Example {
    let name = "photos"
    let summary = "find or create in bulk, a count that is updated on deletion, the last 24 hours"

    /// The data of the service: title, photographer, hours since the upload.
    private static let download: [(title: String, photographer: String, hours: Double)] = [
        ("Harbour at dawn", "Ingrid", 2), ("Harbour at night", "Ingrid", 30),
        ("Old bridge", "Tomás", 23.5), ("New bridge", "Tomás", 24.5), ("Two bridges", "Tomás", 70),
        ("Cat on a wall", "Wen", 5), ("Dog on a beach", "Abeni", 100),
        ("Bridge in fog", "Abeni", 12),
    ]

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(PhotosModel.make(), PhotosModel.classes)
        let context = container.viewContext

        container.coordinator.startCounting()
        let new = try load(context, now: environment.now)
        try context.save()
        output("\(counted(Self.download.count, "photo")) came, \(new) of them new.")
        let fetches = container.coordinator.counters.fetches
        output("It took \(counted(fetches, "fetch", "fetches")) to find out.")
        try show(context, output)

        output.heading("Photographers of a bridge, and of the last 24 hours")
        let bridges = try Photographer.all(
            in: context,
            where: { $0.photos.any { $0.title.contains("bridge", .cd) } },
            sortedBy: \.name
        )
        output("  ANY photos.title CONTAINS[cd] \"bridge\": \(names(bridges))")
        let yesterday = environment.now.addingTimeInterval(-24 * 3_600)
        let recent = try Photographer.all(
            in: context,
            where: { $0.photos.any { $0.uploaded > yesterday } },
            sortedBy: \.name
        )
        output("  ANY photos.uploaded > yesterday: \(names(recent))")
        output("Photos of the last 24 hours, the latest first")
        let photos = try Photo.all(
            in: context,
            where: \.uploaded > yesterday,
            sortedBy: \.uploaded.descending,
            prefetching: \.photographer
        )
        let times = try DatePattern("dd.MM. HH:mm")
        output.rows(
            photos.map { [times.text(of: $0.uploaded), $0.title, $0.photographer?.name ?? ""] }
        )

        output.heading("Deleting \"Old bridge\" and \"Cat on a wall\"")
        try Photo.deleteAll(in: context, where: { $0.title.in(["Old bridge", "Cat on a wall"]) })
        try context.save()
        try show(context, output)
    }

    /// Updates the store with the data of the service; returns the number of new photos.
    private func load(_ context: ManagedObjectContext, now: Date) throws -> Int {
        // All names in one fetch, all titles in another; a loop with a fetch for each would be slow.
        let photographers = try Photographer.findOrCreate(
            by: \.name,
            Self.download.map(\.photographer),
            in: context
        )
        let rows = Dictionary(uniqueKeysWithValues: Self.download.map { ($0.title, $0) })
        var new = 0
        try Photo.findOrCreate(by: \.title, rows.keys.sorted(), in: context) { photo in
            guard let row = rows[photo.title] else { return }
            photo.uploaded = now.addingTimeInterval(-row.hours * 3_600)
            photo.photographer = photographers[row.photographer]
            photo.photographer?.photoCount += 1
            new += 1
        }
        return new
    }

    private func names(_ photographers: [Photographer]) -> String {
        photographers.map(\.name).joined(separator: ", ")
    }

    private func show(_ context: ManagedObjectContext, _ output: Output) throws {
        let photographers = try Photographer.all(
            in: context,
            sortedBy: \.photoCount.descending,
            \.name
        )
        output.rows(photographers.map { [$0.name, counted(Int($0.photoCount), "photo")] })
    }
}
