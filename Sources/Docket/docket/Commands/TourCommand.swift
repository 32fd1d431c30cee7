import ArgumentParser
import DocketCore
import FoundationEssentials

/// `docket tour`: a lesson in the interface, on items of its own.
struct TourCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Learn the keys in five minutes, on items of its own.",
        discussion: "Your own store is not opened. What the tour has made is deleted at its end."
    )

    func perform() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "docket-tour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        var store = StoreLocation()
        store.path = folder.appending(path: "tour.sqlite").path
        try Interface.run(store, for: .tour)
        try Console.print("The tour is over. docket opens your own items.")
    }
}
