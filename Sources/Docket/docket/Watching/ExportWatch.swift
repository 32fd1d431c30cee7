import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph

/// `docket export --watch`: keeps a file in step with the store.
///
/// The file as it was last written stays in the user's state folder. Compared with it, a file says what
/// a person has edited: that alone is imported, field by field, before the file is written again. So
/// nothing is imported that Docket wrote itself, and what changed in the store since is no edit.
///
///     edited or store changed → import what was edited → export into a new file → exchange the names
///         ↑                                                                          │
///         └────────────── somebody was faster: the new file is dropped ──────────────┘
struct ExportWatch {
    private let path: String
    /// The file at the end of links.
    private let target: String
    private let format: ExchangeFormat
    private var importing: WatchedImport
    private var library: Library { importing.library }
    /// The file as it was last written; `nil` if there is no place for it.
    private let former: String?
    /// The file whose content the store has.
    private var known: FileStamp?
    /// The state of the store that the file has.
    private var transaction: Int64?
    /// A file that cannot be read.
    private var refused: FileStamp?
    private var hasToldLosses = false

    /// - Throws: `InputError` if the path is that of a folder, a pipe or a device.
    init(_ path: String, _ format: ExchangeFormat, _ importing: WatchedImport) throws {
        if FileStamp(path) != nil { try PlainFile.require(path) }
        self.path = path
        self.format = format
        self.importing = importing
        let place = Watch.place(of: path)
        target = "\(place.folder)/\(place.name)"
        let store = importing.library.coordinator.persistentStores.first?.identifier.uuidString
        let key = "\(store ?? "")\n\(target)\n\(format.name)"
        let hash = String(ByteSource.fingerprint(Array(key.utf8)), radix: 16)
        former = ExportWatch.stateFolder().map { "\($0)/exported-\(hash)" }
    }

    /// Imports and exports until a signal ends it.
    mutating func run() throws {
        let watch = try Watch(folder: Watch.place(of: path).folder)
        // What was not edited since the last run is not imported; an edit from now on has another
        // stamp.
        let found = FileStamp(target)
        if let former, FileStamp.haveSameContent(former, target) { known = found }
        try watch.run(library, followsStore: true) { _ in try keepInStep() }
    }

    private mutating func keepInStep() throws {
        while !WakePipe.hasToEnd {
            let found = FileStamp(target)
            // What is being written is reported when it is closed.
            if let found, found == refused || FileStamp.isBeingWritten(target) { return }
            var loses = false
            if let found, found != known {
                guard let isPartly = try takeEdits() else {
                    refused = found
                    return
                }
                // It may have changed while it was read.
                if FileStamp(target) != found { continue }
                (known, transaction, loses) = (found, nil, isPartly)
            }
            let latest = try library.latestTransaction()
            // A file that somebody has removed is written again with the next change.
            if transaction == latest { return }
            if try write(over: found, keepingIt: loses) {
                transaction = latest
                return
            }
        }
    }

    /// Imports what was edited in the file.
    ///
    /// - Returns: whether writing the file would lose something of it; `nil` if it cannot be read.
    private mutating func takeEdits() throws -> Bool? {
        let source = try ByteSource.opening(target)
        let base = try former.flatMap { access($0, R_OK) == 0 ? $0 : nil }
            .map { try ByteSource.opening($0) }
        let outcome = try importing.run(path, format, source, since: base)
        try Console.flush()
        let report = outcome.report
        guard report.isComplete else { return nil }
        return base == nil || !report.left.isEmpty || !report.changed.isEmpty
    }

    /// Writes the file, unless it has this content already.
    ///
    /// - Returns: false if somebody has edited it meanwhile; then it is as they left it.
    private mutating func write(over found: FileStamp?, keepingIt: Bool) throws -> Bool {
        let output = try OutputFile(target)
        // It takes its place after the file itself: after a crash in between, a value that Docket wrote
        // counts as edited, never one of before. Not a copy of the file: somebody may edit that now.
        let copy = try former.map { try OutputFile($0) }
        let report = try library.export(format, namesItems: true) {
            try output.write($0)
            try copy?.write($0)
        }
        if found != nil, output.hasContent(of: target) {
            try copy?.finish()
            return true
        }
        guard let replaced = try output.replace(found, keepingIt: keepingIt) else { return false }
        known = replaced.stamp
        try copy?.finish()
        Exit.noteWritten()
        let kept = replaced.kept.map { "; the file as it was is now \(Console.shown($0))" } ?? ""
        let count = "\(report.kept) item\(report.kept == 1 ? "" : "s")"
        try Console.print("Exported \(count) to \(Console.shown(path))\(kept)")
        if report.hasDetails, !hasToldLosses {
            hasToldLosses = true
            Console.report(report, heading: "The format cannot hold everything:")
        }
        try Console.flush()
        return true
    }

    private static func stateFolder() -> String? {
        guard let folder = Interface.stateFolder(ProcessInfo.environment) else { return nil }
        try? FileManager.default.createDirectory(
            at: URL(filePath: folder),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return access(folder, W_OK) == 0 ? folder : nil
    }
}
