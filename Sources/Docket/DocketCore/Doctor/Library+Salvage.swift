public import CivilTime
import DocketFormats
public import FoundationEssentials
import Glibc
public import ObjectGraph

/// What was saved of a damaged library.
public struct SavedLibrary {
    /// How many items are in the new file.
    public var items = 0
    public var report: SalvageReport
    /// The titles and numbers of lost items, as far as the history knows them.
    public var lostTitles: [String] = []
}

extension Library {
    /// Reads as much as can be read of a damaged library, and writes it as Docket's JSON.
    ///
    /// - Parameters:
    ///   - store: the damaged file, which is not changed.
    ///   - path: a file that does not exist yet.
    ///   - clock: the time.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the work.
    /// - Returns: what was saved, and what is lost.
    /// - Throws: `ObjectGraphError` if nothing can be read; `InputError` if the file exists or cannot
    ///   be written.
    public static func salvage(
        _ store: URL,
        to path: String,
        clock: @escaping () -> DateContext,
        progress: ((Double) throws -> Void)? = nil
    ) throws -> SavedLibrary {
        // First, so that an existing file is found before the work.
        let file = try NewFile(path)
        let folder = try makeFolder(beside: path)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let url = URL(filePath: folder + "/docket.sqlite")
        let report = try PersistentStoreCoordinator.salvage(
            store,
            into: url,
            model: DocketModel.ready(),
            configuration: "Main"
        ) { try progress?($0 * 0.8) }
        var saved = SavedLibrary(report: report)
        let library = try Library(url: url, author: "doctor", clock: clock)
        defer { library.close() }
        _ = try RuleCheck(library).repair()
        _ = try library.export(.json) { try file.write($0) }
        saved.items = try library.count(nil)
        try file.finish()
        try progress?(1)
        saved.lostTitles = report.lost.compactMap { lost in
            guard case .string(let title)? = lost.values[Item.Keys.title] else { return nil }
            guard case .int(let number)? = lost.values[Item.Keys.shortID] else { return title }
            return "\(ShortID.string(number)) \(title)"
        }
        return saved
    }

    private static func makeFolder(beside path: String) throws -> String {
        var name = Array((path + ".part-XXXXXX").utf8CString)
        guard mkdtemp(&name) != nil else {
            throw InputError(
                .malformed,
                "The folder of \"\(path)\" cannot be written: \(String(cString: strerror(errno)))."
            )
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
