import CivilTime
import DocketCore
import DocketFormats
import Foundation
import ObjectGraph

/// A folder with a store, for one test; gone with the last reference.
final class LibraryFolder {
    let url: URL
    var store: URL { url.appending(path: "docket.sqlite") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "docket-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func open(author: String = "test") throws -> Library {
        try Library(url: store, author: author) { DateContext(now: Date(), zone: .utc) }
    }
}

extension Library {
    /// Everything a person can see: all items as JSON, then the lists and tags there are.
    func everything() throws -> String {
        var bytes: [UInt8] = []
        _ = try export(.json) { bytes += $0 }
        let lists = try lists().map { "\(ListPath.string($0.path)) \($0.displayOrder)" }
        let tags = try tags().map { "\($0.name) \($0.items.map(\.shortID).sorted())" }
        return String(decoding: bytes, as: UTF8.self)
            + (lists.sorted() + tags.sorted())
            .joined(separator: "\n")
    }
}
