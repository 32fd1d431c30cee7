import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import ObjectGraph
import PostgreSQLStore

/// The place of the items; an option of every subcommand, and of `docket` before one.
struct StoreLocation: ParsableArguments {
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The store's file, or postgresql://user@host/database.",
            discussion: "Default: $DOCKET_STORE, else $XDG_DATA_HOME/docket/docket.sqlite.",
            valueName: "path"
        ),
        completion: .file()
    )
    var path: String?

    enum Purpose {
        /// A store that cannot be written is opened too.
        case reading
        case writing
    }

    func validate() throws {
        // An unset variable of a script must not lead to the user's own store.
        if path == "" { throw ValidationError("--store takes the path of a file.") }
    }

    /// The store's file, from the option, the environment or the XDG rules.
    func file() throws -> URL {
        let environment = ProcessInfo.environment
        if let path = named(in: environment) {
            return try StoreLocation.place(path)
        }
        // XDG says to ignore relative paths in its variables.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return URL(filePath: "\(data)/docket/docket.sqlite")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw ObjectGraphError(
                .cannotOpen,
                environment["HOME"].map {
                    "HOME is \"\($0)\", which is no path from /, so there is no place for the store."
                } ?? "HOME is not set, so there is no place for the store.",
                recovery: "Name its file with --store or in DOCKET_STORE."
            )
        }
        return URL(filePath: "\(home)/.local/share/docket/docket.sqlite")
    }

    /// The place that a text names: a path, or an address.
    static func place(_ text: String) throws -> URL {
        if LibraryPlace.isAddress(text) { return try address(text) }
        if text.isEmpty { throw ValidationError("A store needs a path or an address.") }
        return URL(filePath: UserPath.expanded(text))
    }

    /// The address of a store on a server.
    private static func address(_ text: String) throws -> URL {
        try PostgreSQLStores.register()
        if let url = URL(string: text) { return url }
        throw ObjectGraphError(
            .cannotOpen,
            "\"\(text)\" is not the address of a store.",
            recovery: "Give it as postgresql://user@host:port/database?schema=name."
        )
    }

    /// Whether a file is named, by the option or the environment.
    var isNamed: Bool { named(in: ProcessInfo.environment) != nil }

    private func named(in environment: [String: String]) -> String? {
        if let path { return path }
        return environment["DOCKET_STORE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Opens the library, and creates the default folder if it is missing.
    ///
    /// - Throws: `ObjectGraphError` with a sentence that names the file.
    func open(
        _ purpose: Purpose,
        clock: SystemClock? = nil,
        author: String = "shell"
    ) throws -> Library {
        let file = try preparedFile()
        let clock = clock ?? .ofCommand()
        let progress = UpgradeProgress()
        func library(isReadOnly: Bool) throws -> Library {
            try Library(
                url: file,
                author: author,
                isReadOnly: isReadOnly,
                report: { progress.show($0, $1) },
                clock: { clock.context }
            )
        }
        let opened: Library
        do {
            opened = try library(isReadOnly: false)
        } catch let error as ObjectGraphError where purpose == .reading && error.isOfWriting {
            guard let reader = try? library(isReadOnly: true) else { throw error }
            opened = reader
        }
        progress.clear()
        opened.newLists = clock.newLists
        opened.hooks = .ofSettings(LibraryPlace(file).text)
        opened.whenHookSpeaks = { Console.note(Console.shown($0)) }
        if let former = opened.former { Console.note(former.upgradeNotice) }
        for notice in opened.openingNotices { Console.warn(notice) }
        opened.whenDoubtful = { Console.warn($0.sentence(file.lastPathComponent)) }
        Exit.followSaves()
        if purpose == .writing { DailyBackup.note(opened) }
        if let unfinished = opened.unfinishedCommand, !unfinished.isUnderWayElsewhere {
            let way =
                unfinished.phase == .running && !unfinished.isInversion
                ? "`docket undo` undoes it; docket without arguments offers to finish it."
                : "Start docket without arguments to finish it."
            Console.warn("\(Console.shown(unfinished.title)) was interrupted. \(way)")
        }
        if opened.hasUnfinishedImport {
            Console.warn(
                "An import was interrupted. Import the same file again to complete it, or undo it "
                    + "with `docket undo`."
            )
        }
        return opened
    }

    /// Opens the library of the interface, whose window shows how far that is.
    ///
    /// - Returns: `nil` if the user has left before.
    /// - Throws: `ObjectGraphError` with a sentence that names the file.
    func open(_ clock: SystemClock, shownIn window: Window) throws -> Library? {
        let file = try preparedFile()
        func library(isReadOnly: Bool) throws -> Library? {
            if !file.isFileURL {
                // A document is a file; there is no upgrade that could take long to be shown.
                let opened = try Library(url: file, author: "interface", isReadOnly: isReadOnly) {
                    clock.context
                }
                // The window is told of others' saves.
                opened.context.coordinator.answersFromMemory = true
                opened.hooks = .ofSettings(LibraryPlace(file).text)
                return opened
            }
            let opening = try LibraryOpening(url: file, isReadOnly: isReadOnly, wake: window.wake)
            guard try window.wait(for: opening, name: file.lastPathComponent) else { return nil }
            let opened = try opening.library(author: "interface") { clock.context }
            opened.hooks = .ofSettings(LibraryPlace(file).text)
            return opened
        }
        Exit.followSaves()
        do {
            return try library(isReadOnly: false)
        } catch let error as ObjectGraphError where error.isOfWriting {
            do {
                return try library(isReadOnly: true)
            } catch _ {
                // One of an older version is read in a copy in the form of this one.
                let older = try? Library(url: file, author: "interface", isReadOnly: true) {
                    clock.context
                }
                guard let older else { throw error }
                return older
            }
        }
    }

    /// The store's file, whose default folder is there.
    private func preparedFile() throws -> URL {
        let file = try file()
        if !file.isFileURL {
            try makeFolder(of: URL(filePath: LibraryPlace(file).path))
            return file
        }
        try StoreLocation.requireFile(file)
        if named(in: ProcessInfo.environment) == nil { try makeFolder(of: file) }
        return file
    }

    /// Refuses a folder, a pipe or a device; a store that does not exist may be made.
    static func requireFile(_ file: URL) throws {
        guard file.isFileURL else {
            throw ObjectGraphError(
                .unsupported,
                "This works on the file of a store only, not on a database.",
                recovery: "The tools of the database server check and back up its stores."
            )
        }
        do throws(PlainFile.Problem) { _ = try PlainFile(file.path) } catch {
            if error.isMissing { return }
            throw ObjectGraphError(
                .cannotOpen,
                "The store \"\(file.path)\" \(error.reason).",
                recovery: "Name the file of a store with --store or in DOCKET_STORE."
            )
        }
    }

    private func makeFolder(of file: URL) throws {
        let folder = file.deletingLastPathComponent().path
        guard StoreLocation.makePrivateFolder(folder) else {
            throw ObjectGraphError(
                .cannotOpen,
                "The folder \(folder) for the store cannot be created: "
                    + "\(String(cString: strerror(errno))).",
                recovery: "Create it, or name another place with --store or in DOCKET_STORE."
            )
        }
    }

    /// Creates a folder and its missing parents; from the beginning only its owner can read it.
    ///
    /// An existing folder does not change.
    private static func makePrivateFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) != 0 {
            var status = stat()
            if errno == EEXIST { return stat(path, &status) == 0 }
            guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex,
                makePrivateFolder(String(path[..<slash]))
            else { return false }
            if mkdir(path, 0o700) != 0 { return errno == EEXIST }
        }
        // A umask may have removed the owner's permissions.
        chmod(path, 0o700)
        return true
    }
}

extension ObjectGraphError {
    /// Whether reading may still be possible.
}
