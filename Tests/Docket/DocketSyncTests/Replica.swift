import CivilTime
import DocketCore
import DocketFormats
import Foundation
import ObjectGraph
import ObjectSync
import Testing

@testable import DocketSync

/// A library on one machine, which is opened for each step as by the program.
final class Replica {
    private let folder: URL
    /// How far its clock is wrong.
    var clockOffset = 0.0
    var store: URL { folder.appending(path: "docket.sqlite") }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "docket-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @discardableResult
    func edit<Result>(_ body: (Library) throws -> Result) throws -> Result {
        let offset = clockOffset
        let library = try Library(url: store, author: "test") {
            DateContext(now: Date() + offset, zone: .utc)
        }
        defer { library.close() }
        return try body(library)
    }

    @discardableResult
    func sync(
        _ transport: any HTTPTransport,
        url: String = "https://cal.example.org/",
        _ change: (CalDAVRemote) -> Void = { _ in }
    ) throws -> SyncReport {
        try edit { library in
            let remote = try CalDAVRemote(
                name: "test",
                url: url,
                transport: transport,
                settings: ExchangeSettings(dates: library.clock())
            )
            change(remote)
            return try LibrarySync.run(library, with: remote)
        }
    }

    func add(_ texts: String...) throws {
        try edit { library in
            for text in texts { _ = try library.addTask(try library.capture(text)) }
        }
    }

    func task(_ title: String, _ library: Library) throws -> Task {
        guard let task = try Task.all(in: library.context, where: \.title == title).first else {
            throw Missing(title: title)
        }
        return task
    }

    struct Missing: Error { let title: String }

    /// What a person sees of each item, sorted.
    func items() throws -> [String] {
        try edit { library in
            let items = try Item.all(in: library.context).filter { $0.trashed == nil }
            return items.map { item in
                var parts = [item.title, item.list?.name ?? "-", item.notes ?? ""]
                parts.insert(item.tags.map(\.name).sorted().joined(separator: ","), at: 2)
                if let note = item as? Note { parts.append(note.body ?? "") }
                guard let task = item as? Task else { return parts.joined(separator: "|") }
                parts += ["\(task.priority)", task.completed == nil ? "" : "done"]
                // One in the trash of a replica is not on the server.
                let parent = task.parent.flatMap { $0.trashed == nil ? $0.title : nil }
                parts += [parent ?? "", task.location?.name ?? "", task.rule ?? ""]
                parts += [task.remindTimes ?? "", task.flagged ? "flagged" : ""]
                parts += task.blockedBy.map(\.title).sorted()
                parts.append("\(task.dueDate.map { Int($0.date.timeIntervalSince1970) } ?? 0)")
                return parts.joined(separator: "|")
            }.sorted()
        }
    }

    func titles() throws -> [String] {
        try items().map { String($0.prefix { $0 != "|" }) }
    }
}

/// Expects the same items in two libraries.
func expectEqual(
    _ one: Replica,
    _ two: Replica,
    location: SourceLocation = #_sourceLocation
) throws {
    let (first, second) = (try one.items(), try two.items())
    #expect(first == second, "\(first) \(second)", sourceLocation: location)
}
