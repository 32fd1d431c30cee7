public import FoundationEssentials
import Glibc
import ObjectModel
import ObjectStore

/// Keeps the sections of a results controller between runs, so that opening it counts nothing.
///
/// Only data from a store's file is kept, so controllers over other stores, or with pending
/// changes, work as without a cache. An entry is valid for the same request (entity, predicate,
/// order, section key path) on the same store in the same state. Every other entry, and one that
/// cannot be read, is dropped and created again; this is never an error. The cache has section
/// names in plain text; only its owner can read it.
///
/// The behaviour is that of Core Data's `cacheName`; the file format is our own.
public struct ResultsCache: Sendable {
    public let name: String
    private let url: URL

    /// A cache by its name; its first use creates it.
    ///
    /// It is in the user's cache folder (`$XDG_CACHE_HOME/objectgraph/results`, or
    /// `~/.cache/objectgraph/results`) unless another folder is given.
    public init(named name: String, in folder: URL = ResultsCache.standardFolder) {
        self.name = name
        url = folder.appending(path: ResultsCache.fileName(name))
    }

    /// The default folder of caches.
    public static var standardFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? URL(filePath: environment["HOME"] ?? "/tmp").appending(path: ".cache")
        return base.appending(path: "objectgraph/results")
    }

    /// Removes the cache, if there is one.
    public func delete() { try? FileManager.default.removeItem(at: url) }

    /// Removes all caches of a folder.
    public static func deleteAll(in folder: URL = ResultsCache.standardFolder) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in files where file.hasSuffix(suffix) {
            try? FileManager.default.removeItem(at: folder.appending(path: file))
        }
    }

    // MARK: The file

    private static let suffix = ".sections.json"

    private static func fileName(_ name: String) -> String {
        var result = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + String(byte, radix: 16)
            }
        }
        return result + suffix
    }

    private struct Contents: Codable {
        var key: String
        var names: [String]
        var counts: [Int]
    }

    /// Everything that the sections depend on: the request, the store, and the store's state.
    ///
    /// - Returns: `nil` for a store whose state is unknown.
    static func key(
        _ description: FetchDescription,
        _ keyPath: String,
        _ store: any PersistentStore
    ) -> String? {
        guard let state = store.stateMark else { return nil }
        let predicate = description.predicate.map { "\($0)" } ?? ""
        let order = description.sortDescriptors.map {
            "\($0.keyPath) \($0.isAscending) \($0.comparison.rawValue)"
        }
        return [
            store.identifier.uuidString, state, description.entityName,
            "\(description.includesSubentities)", keyPath, order.joined(separator: ","), predicate,
        ].joined(separator: "\n")
    }

    /// The sections under a key, if they have this number of rows in total.
    func read(_ key: String, rowCount: Int) -> [SectionedRows.Section]? {
        guard let data = try? Data(contentsOf: url),
            let contents = try? JSONDecoder().decode(Contents.self, from: data),
            contents.key == key, contents.names.count == contents.counts.count,
            contents.counts.allSatisfy({ $0 > 0 && $0 <= rowCount }),
            contents.counts.reduce(0, +) == rowCount
        else { return nil }
        return zip(contents.names, contents.counts).map { .init(name: $0, count: $1) }
    }

    /// Writes sections; if that fails there is no cache.
    func write(_ sections: [SectionedRows.Section], _ key: String) {
        let contents = Contents(
            key: key,
            names: sections.map(\.name),
            counts: sections.map(\.count)
        )
        guard let data = try? JSONEncoder().encode(contents) else { return }
        let owned = FileManager.default
        try? owned.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let part = url.appendingPathExtension(UUID().uuidString)
        let isMade = owned.createFile(
            atPath: part.path,
            contents: data,
            attributes: [.posixPermissions: 0o600]
        )
        if !isMade || rename(part.path, url.path) != 0 { try? owned.removeItem(at: part) }
    }
}
