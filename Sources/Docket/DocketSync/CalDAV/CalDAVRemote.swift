import CivilTime
import DocketCore
public import DocketFormats
import FoundationEssentials
public import ObjectSync

// A pull asks for all collections with their tokens: one request. Of those whose token is another
// one it asks for the changes, or lists them if the server does not tell; then for what is new, in
// parts. What seems to be gone is asked for by its name: only what the server says is not there is
// deleted here, so an answer that was cut does no harm.
//
// Lists are collections, tasks VTODO, notes VJOURNAL. Items without a list are in a collection of
// their own. The URL of one collection exchanges all items with it and leaves the lists alone.

/// A server of calendars.
public final class CalDAVRemote: SyncRemote {
    public let name: String
    /// Whether everything is listed, whatever the tokens say.
    public var verifies = false
    /// Whether more than half of the items may be deleted here at once.
    public var acceptsDeletions = false
    /// What could not be sent, a sentence each.
    public internal(set) var problems: [String] = []
    /// The versions that were merged last, by path; see ``SyncEngine/versions(ofRemoteNamed:)``.
    public var knownVersions: () throws -> [String: String] = { [:] }
    /// Where some objects are; see ``SyncEngine/places(of:onRemoteNamed:)``.
    public var knownPlaces: ([SyncKey]) throws -> [SyncKey: (href: String, version: String)] = {
        _ in
        [:]
    }

    let client: CalDAVClient
    let settings: ExchangeSettings
    var place = CalDAVPlace()
    var collections: [String: CalDAVClient.Collection] = [:]
    /// Where new items were sent.
    var attempts: [SyncKey: String] = [:]
    /// Where items have been moved, and whether the server moves any.
    var moved: [SyncKey: String] = [:]
    var movesItems = true
    /// What was refused in this run.
    var refused: Set<SyncKey> = []
    /// What is to be asked for in the next parts of a pull.
    private var queue: [(collection: String, paths: [String])]?
    /// The versions of what this pull asks for, what it has found to be gone, and where it has found
    /// items.
    private(set) var asked: [String: String] = [:]
    private(set) var gone: Set<String> = []
    var pulled: [SyncKey: String] = [:]
    /// The second places of items that were left out of the former pull, with their versions.
    private(set) var waiting: [String: String] = [:]
    var isLocated = false
    /// What becomes of the tokens of collections into which this run has written.
    var written: [String: String] = [:]
    /// Whether the server may take a whole list at once.
    var takesWholeLists = true

    /// How many items one part of a pull has.
    static let part = 1000
    /// How many deletions at once are usual.
    static let usualDeletions = 20
    /// What the collection of items without a list is called.
    static let inboxName = "Inbox"

    /// - Parameters:
    ///   - name: the name of the remote in the configuration.
    ///   - url: what the user knows of the server.
    ///   - transport: what makes requests.
    ///   - settings: the time zone for dates.
    /// - Throws: ``SyncError`` if the URL is none.
    public init(
        name: String,
        url: String,
        transport: any HTTPTransport,
        settings: ExchangeSettings
    ) throws {
        guard let start = WebAddress(url) else {
            throw SyncError(
                .configuration,
                "The url of [sync.\(name)] is not an address: \(url); it begins with https://."
            )
        }
        self.name = name
        self.settings = settings
        client = CalDAVClient(transport: transport, start: start)
    }

    // MARK: Collections

    /// Reads the collections.
    ///
    /// - Returns: the name and the identity of the list that each is.
    /// - Throws: ``SyncError``.
    public func lists() throws -> [(name: String, id: String)] {
        try locate()
        if place.isCollection { return [] }
        return collections.values.sorted { $0.path < $1.path }
            .filter { !isInbox($0.path) }.map { ($0.name, CalDAVRemote.id($0.path)) }
    }

    func locate() throws {
        if isLocated { return }
        let home: WebAddress
        if let known = WebAddress(place.home), known.isTrusted(like: client.start) {
            home = known
        } else {
            let found = try client.home()
            home = found.address
            (place.home, place.isCollection) = (home.url, found.isCollection)
        }
        let depth = place.isCollection ? 0 : 1
        let found = try client.collections(
            at: home,
            depth: depth,
            hasCtags: !place.hasSyncTokens
        )
        collections = Dictionary(found.map { ($0.path, $0) }) { first, _ in first }
        isLocated = true
    }

    var home: WebAddress { WebAddress(place.home) ?? client.start }

    func address(_ path: String) -> WebAddress {
        WebAddress(path, relativeTo: home) ?? home
    }

    /// The name of the list that a collection is: the same on every replica.
    static func id(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return (UUIDText.parse(name) ?? UUIDText.made(from: "caldav\n\(path)")).uuidString
    }

    var inbox: String { WebAddress.path("docket-inbox/", in: home.path) }

    func isInbox(_ path: String) -> Bool { path == inbox }

    /// The reference to the list that a collection is.
    private func list(_ path: String) -> SyncValue? {
        if place.isCollection { return nil }
        return isInbox(path) ? .null : .reference(CalDAVRemote.id(path))
    }

    // MARK: Pull

    public func changes(since token: String?) throws -> RemoteChanges {
        if let queue { return try next(queue, RemoteChanges(), token) }
        if let token, let known = CalDAVPlace(token) { place = known }
        try locate()
        try deleteStrays()
        var changes = RemoteChanges()
        if !place.isCollection {
            for collection in collections.values where !isInbox(collection.path) {
                changes.items.append(item(collection))
            }
        }
        var known: [String: String]?
        func versions() throws -> [String: String] {
            if let known { return known }
            let read = try knownVersions()
            known = read
            return read
        }
        var queue: [(collection: String, paths: [String])] = []
        asked = [:]
        var missing: [String] = []
        var isQuiet = true
        for path in place.tokens.keys where collections[path] == nil {
            isQuiet = false
            place.tokens[path] = nil
            changes.removed.append(path)
            missing += try versions().keys.filter { $0.hasPrefix(path) && $0 != path }
        }
        for (path, collection) in collections.sorted(by: { $0.key < $1.key }) {
            let former = place.tokens[path]
            let present = collection.syncToken ?? collection.ctag
            if !verifies, let present, former == present { continue }
            isQuiet = false
            let found = try changed(in: collection, since: former, versions)
            place.tokens[path] = found.token ?? present ?? ""
            if !found.changed.isEmpty { queue.append((path, found.changed.map(\.path))) }
            for resource in found.changed { asked[resource.path] = resource.version }
            missing += found.missing
        }
        place.hasSyncTokens = collections.values.allSatisfy { $0.syncToken != nil }
        let gone = try confirmed(missing)
        if gone.count > CalDAVRemote.usualDeletions, !acceptsDeletions {
            let all = try versions().count
            if gone.count * 2 > all {
                throw SyncError(
                    .manyDeletions,
                    "The server \(name) has no longer \(gone.count) of \(all) items; nothing was"
                        + " changed. If that is right: docket sync \(name) --accept-deletions."
                )
            }
        }
        changes.removed += gone
        // Where nothing has changed, nobody has decided about them.
        if !isQuiet {
            (waiting, place.doubles) = (place.doubles, [:])
            let paths = waiting.keys.filter { asked[$0] == nil }.sorted()
            let folders = Dictionary(grouping: paths, by: WebAddress.folder)
            for folder in collections.keys.sorted() {
                if let paths = folders[folder] { queue.append((folder, paths)) }
            }
        }
        (self.gone, pulled) = (Set(gone), [:])
        return try next(queue, changes, token)
    }

    /// What may have changed in a collection: what is to be asked for, and what may be gone.
    private func changed(
        in collection: CalDAVClient.Collection,
        since token: String?,
        _ versions: () throws -> [String: String]
    ) throws -> (changed: [CalDAVClient.Resource], missing: [String], token: String?) {
        let address = address(collection.path)
        if !verifies, collection.syncToken != nil, let token, !token.isEmpty,
            let found = try client.allChanges(in: address, since: token)
        {
            let isMuch = found.changed.count > CalDAVRemote.usualDeletions
            let known = isMuch ? try versions() : [:]
            let changed = found.changed.filter { known[$0.path] != $0.version }
            return (changed, found.gone, found.token)
        }
        // To verify is to ask in another way.
        let (listed, next) =
            verifies
            ? (try client.contents(of: address, depth: 1).resources, nil)
            : try client.list(
                address,
                hasCtag: collection.syncToken == nil && collection.ctag != nil
            )
        let known = try versions()
        let changed = listed.filter { known[$0.path] != $0.version }
        let there = Set(listed.map(\.path))
        let missing = known.keys.filter {
            $0 != collection.path && $0.hasPrefix(collection.path) && !there.contains($0)
        }
        return (changed, missing.sorted(), next)
    }

    /// The paths of which the server says that nothing is there.
    private func confirmed(_ paths: [String]) throws -> [String] {
        var gone = Set(paths)
        for (folder, paths) in Dictionary(grouping: gone, by: WebAddress.folder)
        where collections[folder] != nil {
            for resource in try client.get(paths.sorted(), in: address(folder)) {
                gone.remove(resource.path)
            }
        }
        return gone.sorted()
    }

    /// The next part of a pull; its token is the former one until everything was merged.
    private func next(
        _ queue: [(collection: String, paths: [String])],
        _ changes: RemoteChanges,
        _ token: String?
    ) throws -> RemoteChanges {
        var (rest, changes) = (queue, changes)
        if queue.isEmpty { try deleteStrays() }
        if let (collection, paths) = rest.first {
            let part = Array(paths.prefix(CalDAVRemote.part))
            let found = try client.get(part, in: address(collection))
            changes.items += try settleDoubles(found.compactMap { item($0, collection) })
            rest[0].paths.removeFirst(part.count)
            if rest[0].paths.isEmpty { rest.removeFirst() }
        }
        changes.token = rest.isEmpty ? place.text : token
        changes.hasMore = !rest.isEmpty || !place.strays.isEmpty
        self.queue = changes.hasMore ? rest : nil
        return changes
    }

    public func item(_ key: SyncKey, href: String?) throws -> RemoteItem? {
        try locate()
        if key.entity == SyncEntities.list {
            return collections.values.first { CalDAVRemote.id($0.path) == key.name }.map(item)
        }
        guard let path = moved[key] ?? href ?? attempts[key] else { return nil }
        let folder = WebAddress.folder(path)
        guard let found = try client.get([path], in: address(folder)).first else { return nil }
        return item(found, folder)
    }

    private func item(_ resource: CalDAVClient.Resource, _ collection: String) -> RemoteItem? {
        guard let data = resource.data, let calendar = CalendarResource(data, settings) else {
            return nil
        }
        let record = calendar.item.syncRecord(list: list(collection), extra: data)
        return RemoteItem(href: resource.path, version: resource.version, record: record)
    }

    func item(_ collection: CalDAVClient.Collection) -> RemoteItem {
        let key = SyncKey(entity: SyncEntities.list, name: CalDAVRemote.id(collection.path))
        var record = SyncRecord(key, values: ["name": .string(collection.name)])
        // Without one it says nothing: many servers have none.
        if let color = collection.color { record.values["color"] = .string(color) }
        return RemoteItem(href: collection.path, version: collection.version, record: record)
    }
}

/// Where a pull goes on: the calendars' place, and the tokens of each collection.
struct CalDAVPlace: Codable {
    var home = ""
    var isCollection = false
    var tokens: [String: String] = [:]
    /// Whether all collections had sync tokens; then ctags are not asked for.
    ///
    /// They take a server as long, and do not tell enough: one may be that of a former state, to which
    /// others have gone back after this replica has sent something.
    var hasSyncTokens = false
    /// Resources to delete, with their versions, because their items were merged from another place.
    var strays: [String: String] = [:]
    /// The second places of items, with the versions that were left out.
    var doubles: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        home = try values.decode(String.self, forKey: .home)
        isCollection = try values.decode(Bool.self, forKey: .isCollection)
        tokens = try values.decode([String: String].self, forKey: .tokens)
        // Former versions have not kept these.
        hasSyncTokens = try values.decodeIfPresent(Bool.self, forKey: .hasSyncTokens) ?? false
        strays = try values.decodeIfPresent([String: String].self, forKey: .strays) ?? [:]
        doubles = try values.decodeIfPresent([String: String].self, forKey: .doubles) ?? [:]
    }

    init?(_ text: String) {
        guard let place = try? JSONDecoder().decode(CalDAVPlace.self, from: Data(text.utf8)) else {
            return nil
        }
        self = place
    }

    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
