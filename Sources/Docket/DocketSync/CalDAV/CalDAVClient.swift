import FoundationEssentials

/// Requests of CalDAV (RFC 4791, 6578, 5397).
///
/// It has no state but the place of the calendars; ``CalDAVRemote`` decides what is asked.
struct CalDAVClient {
    let transport: any HTTPTransport
    /// What the user has given.
    let start: WebAddress

    /// A collection that may have tasks or notes.
    struct Collection: Equatable {
        var path: String
        var name: String
        var syncToken: String?
        var ctag: String?
        /// The components that it takes; empty if the server does not say.
        var components: Set<String>
        /// `#rrggbb`.
        var color: String?

        /// What identifies the state of the list.
        var version: String { color.map { "\(name)\n\($0)" } ?? name }

        /// A colour as `#rrggbb`, without its opacity; `nil` for another text.
        static func color(_ text: String?) -> String? {
            guard let text, text.hasPrefix("#"), [7, 9].contains(text.utf8.count),
                text.dropFirst().allSatisfy(\.isHexDigit)
            else { return nil }
            return text.prefix(7).lowercased()
        }

        func takes(_ component: String) -> Bool {
            components.isEmpty || components.contains(component)
        }
    }

    /// A resource of a collection.
    struct Resource {
        var path: String
        var version: String
        /// `nil` if it was not sent along.
        var data: Data?
    }

    // MARK: Discovery

    /// Finds the place with the user's calendars.
    ///
    /// - Returns: its address, and whether the user has given that of one calendar.
    /// - Throws: ``SyncError``.
    func home() throws -> (address: WebAddress, isCollection: Bool) {
        if let home = try home(at: start) { return home }
        let wellKnown = WebAddress("/.well-known/caldav", relativeTo: start)
        if let wellKnown, let home = try home(at: wellKnown) { return home }
        throw SyncError(
            .server,
            "\(start.url) names no calendars; give the URL that the server's documentation has for"
                + " CalDAV."
        )
    }

    private func home(
        at address: WebAddress
    ) throws -> (address: WebAddress, isCollection: Bool)? {
        let names = ["C:calendar-home-set", "D:current-user-principal", "D:resourcetype"]
        guard let (first, place) = try properties(names, at: address) else { return nil }
        if first["resourcetype"]?.members.contains("calendar") ?? false { return (place, true) }
        if let home = first["calendar-home-set"]?.href {
            return (try trusted(home, place), false)
        }
        guard let principal = first["current-user-principal"]?.href else { return nil }
        let person = try trusted(principal, place)
        guard let (second, _) = try properties(names, at: person),
            let home = second["calendar-home-set"]?.href
        else { return nil }
        return (try trusted(home, person), false)
    }

    private func trusted(_ href: String, _ base: WebAddress) throws -> WebAddress {
        guard let address = WebAddress(href, relativeTo: base), address.isTrusted(like: start)
        else {
            throw SyncError(
                .server,
                "\(start.origin) leads to another server, \(href); the password is not sent there."
            )
        }
        return address
    }

    /// The properties of one resource, and its address after redirections; `nil` if it is none of
    /// WebDAV.
    private func properties(
        _ names: [String],
        at address: WebAddress
    ) throws -> ([String: Multistatus.Property], WebAddress)? {
        let answer = try transport.send(CalDAVClient.propfind(names, address.url, depth: 0))
        guard answer.status == 207 else {
            if [404, 405, 400, 403, 501].contains(answer.status) { return nil }
            try check(answer)
            return nil
        }
        let place = try trusted(answer.url.isEmpty ? address.url : answer.url, address)
        return (try Multistatus(answer).responses.first?.properties ?? [:], place)
    }

    // MARK: Questions

    /// The collections at a place that may have tasks or notes; one request.
    ///
    /// - Parameters:
    ///   - home: the place.
    ///   - depth: 1, or 0 for a place that is a collection.
    ///   - hasCtags: whether to ask for ctags too.
    /// - Returns: the collections.
    /// - Throws: ``SyncError``.
    func collections(at home: WebAddress, depth: Int, hasCtags: Bool) throws -> [Collection] {
        let names =
            [
                "D:resourcetype", "D:displayname", "D:sync-token",
                "C:supported-calendar-component-set", "A:calendar-color",
            ] + (hasCtags ? ["CS:getctag"] : [])
        let answer = try transport.send(CalDAVClient.propfind(names, home.url, depth: depth))
        try check(answer, 207)
        return try Multistatus(answer).responses.compactMap { response in
            let properties = response.properties
            guard properties["resourcetype"]?.members.contains("calendar") ?? false,
                let address = WebAddress(response.href, relativeTo: home)
            else { return nil }
            let set = properties["supported-calendar-component-set"]?.members ?? []
            let components = set.intersection(["VTODO", "VJOURNAL", "VEVENT"])
            if !components.isEmpty, components == ["VEVENT"] { return nil }
            func text(_ name: String) -> String? {
                properties[name].flatMap { $0.string.isEmpty ? nil : $0.string }
            }
            return Collection(
                path: address.path,
                name: text("displayname") ?? address.name,
                syncToken: text("sync-token"),
                ctag: text("getctag"),
                components: components,
                color: Collection.color(text("calendar-color"))
            )
        }
    }

    /// What has changed in a collection since a token (RFC 6578).
    ///
    /// - Returns: the resources, the paths that are gone, the next token, and whether there is more;
    ///   `nil` if the server does not know the token any more or does not tell changes.
    /// - Throws: ``SyncError``.
    func changes(
        in collection: WebAddress,
        since token: String
    ) throws -> (changed: [Resource], gone: [String], token: String, hasMore: Bool)? {
        let body =
            "<D:sync-collection xmlns:D=\"DAV:\"><D:sync-token>\(CalDAVClient.escaped(token))"
            + "</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>"
            + "</D:sync-collection>"
        var request = CalDAVClient.xml("REPORT", collection.url, body, depth: nil)
        request.isLong = token.isEmpty
        let answer = try transport.send(request)
        if [400, 403, 404, 405, 409, 412, 415, 501, 507].contains(answer.status) { return nil }
        try check(answer, 207)
        let list = try Multistatus(answer)
        guard let next = list.token, !next.isEmpty else { return nil }
        var (changed, gone, hasMore): ([Resource], [String], Bool) = ([], [], false)
        for response in list.responses {
            guard let path = WebAddress(response.href, relativeTo: collection)?.path else {
                continue
            }
            if path == collection.path || path + "/" == collection.path {
                hasMore = hasMore || response.status == 507
            } else if response.status == 404 || response.status == 410 {
                gone.append(path)
            } else if let resource = CalDAVClient.resource(response, path) {
                changed.append(resource)
            }
        }
        return (changed, gone, next, hasMore)
    }

    /// All that has changed in a collection since a token, or all that is there without one.
    ///
    /// - Returns: as ``changes(in:since:)``.
    /// - Throws: ``SyncError``.
    func allChanges(
        in collection: WebAddress,
        since token: String
    ) throws -> (changed: [Resource], gone: [String], token: String)? {
        var (changed, gone, place): ([Resource], [String], String) = ([], [], token)
        while let found = try changes(in: collection, since: place) {
            changed += found.changed
            gone += found.gone
            // A token that stays the same would ask for the same part for ever.
            if !found.hasMore || found.token == place { return (changed, gone, found.token) }
            place = found.token
        }
        return nil
    }

    /// All resources of a collection.
    ///
    /// For PROPFIND Radicale reads the folder once for each of them; the changes since nothing take a
    /// thirtieth of it at 10,000.
    ///
    /// - Parameters:
    ///   - collection: the collection.
    ///   - hasCtag: whether a ctag is the token where there is no other.
    /// - Returns: the resources with their versions, and the token behind them if there is one.
    /// - Throws: ``SyncError``.
    func list(
        _ collection: WebAddress,
        hasCtag: Bool
    ) throws -> (resources: [Resource], token: String?) {
        if let all = try allChanges(in: collection, since: "") {
            let byPath = Dictionary(all.changed.map { ($0.path, $0) }) { $1 }
            return (byPath.values.sorted { $0.path < $1.path }, all.token)
        }
        let found = try contents(of: collection, depth: 1, hasCtag: hasCtag)
        return (found.resources, hasCtag ? found.properties["getctag"]?.string : nil)
    }

    /// The properties of a collection, and its resources with their versions before that; with the token
    /// behind them if there is one.
    ///
    /// - Throws: ``SyncError``.
    func contents(
        of collection: WebAddress
    ) throws -> (
        properties: [String: Multistatus.Property], resources: [Resource], token: String?
    ) {
        guard let all = try allChanges(in: collection, since: "") else {
            let found = try contents(of: collection, depth: 1)
            return (found.properties, found.resources, nil)
        }
        return (try contents(of: collection, depth: 0).properties, all.changed, all.token)
    }

    /// The properties of a collection, and with depth 1 its resources, by PROPFIND.
    ///
    /// - Throws: ``SyncError``.
    func contents(
        of collection: WebAddress,
        depth: Int,
        hasCtag: Bool = false
    ) throws -> (properties: [String: Multistatus.Property], resources: [Resource]) {
        let names =
            ["D:getetag", "D:resourcetype", "D:displayname"] + (hasCtag ? ["CS:getctag"] : [])
        var request = CalDAVClient.propfind(names, collection.url, depth: depth)
        request.isLong = true
        let answer = try transport.send(request)
        try check(answer, 207)
        var (properties, resources): ([String: Multistatus.Property], [Resource]) = ([:], [])
        for response in try Multistatus(answer).responses {
            guard let path = WebAddress(response.href, relativeTo: collection)?.path else {
                continue
            }
            if path == collection.path || path + "/" == collection.path {
                properties = response.properties
            } else if response.properties["resourcetype"]?.members.contains("collection") != true,
                let resource = CalDAVClient.resource(response, path)
            {
                resources.append(resource)
            }
        }
        return (properties, resources)
    }

    /// The content of some resources of a collection; those that are gone by now are left out.
    ///
    /// - Throws: ``SyncError``.
    func get(_ paths: [String], in collection: WebAddress) throws -> [Resource] {
        var requests: [HTTPRequest] = []
        for start in stride(from: 0, to: paths.count, by: CalDAVClient.mostHrefs) {
            let part = paths[start..<min(paths.count, start + CalDAVClient.mostHrefs)]
            let body =
                "<C:calendar-multiget xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\">"
                + "<D:prop><D:getetag/><C:calendar-data/></D:prop>"
                + part.map { "<D:href>\(CalDAVClient.escaped($0))</D:href>" }.joined()
                + "</C:calendar-multiget>"
            requests.append(CalDAVClient.xml("REPORT", collection.url, body, depth: 1))
        }
        return try transport.send(requests).flatMap { answer -> [Resource] in
            try check(answer, 207)
            return try Multistatus(answer).responses.compactMap { response in
                guard let path = WebAddress(response.href, relativeTo: collection)?.path else {
                    return nil
                }
                return CalDAVClient.resource(response, path)
            }
        }
    }

    /// How many resources one request asks for.
    private static let mostHrefs = 200

    private static func resource(_ response: Multistatus.Response, _ path: String) -> Resource? {
        guard let version = response.properties["getetag"]?.string, !version.isEmpty else {
            return nil
        }
        let data = response.properties["calendar-data"].map { Data(lines($0.text)) }
        return Resource(path: path, version: CalDAVClient.version(version), data: data)
    }

    /// An ETag without its marks: servers and what stands before them spell one in several ways.
    static func version(_ tag: String) -> String {
        var tag = tag[...]
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        if tag.hasPrefix("\"") { tag = tag.dropFirst() }
        if tag.hasSuffix("\"") { tag = tag.dropLast() }
        for end in ["-gzip", ";gzip", "--gzip"] where tag.hasSuffix(end) {
            tag = tag.dropLast(end.count)
        }
        return String(tag)
    }

    /// A text of XML, which has lost the CR of its line ends.
    private static func lines(_ text: [UInt8]) -> [UInt8] {
        if text.contains(13) { return text }
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count + text.count / 32)
        for byte in text {
            if byte == 10 { lines.append(13) }
            lines.append(byte)
        }
        return lines
    }

    // MARK: Forms

    /// Refuses an answer that is not what was asked for.
    ///
    /// - Throws: ``SyncError`` with a sentence.
    func check(_ answer: HTTPResponse, _ expected: Int? = nil) throws {
        if let expected, answer.status == expected { return }
        switch answer.status {
        case 200 where expected == nil && answer.isPage:
            throw SyncError(
                .server,
                "\(answer.url) has answered with a web page; check the URL, and whether the network asks"
                    + " for a login."
            )
        case 200..<300 where expected == nil: return
        case 401:
            throw SyncError(.refused, "\(start.origin) does not accept the user or the password.")
        case 403: throw SyncError(.refused, "\(start.origin) does not permit it (403).")
        case 429, 503:
            let wait = answer.headers["retry-after"].map {
                $0.allSatisfy(\.isNumber) ? " for \($0) s" : " until \($0)"
            }
            throw SyncError(
                .server,
                "\(start.origin) asks to wait\(wait ?? ""); synchronize later."
            )
        case 507:
            throw SyncError(.server, "\(start.origin) has no room left (507); nothing is lost.")
        case 200..<300:
            throw SyncError(
                .server,
                "\(answer.url) has answered \(answer.status) without a list of resources; check the URL."
            )
        default:
            throw SyncError(.server, "\(start.origin) has failed with status \(answer.status).")
        }
    }

    static func propfind(_ names: [String], _ url: String, depth: Int) -> HTTPRequest {
        let body =
            "<D:propfind xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\""
            + " xmlns:CS=\"http://calendarserver.org/ns/\""
            + " xmlns:A=\"http://apple.com/ns/ical/\"><D:prop>"
            + names.map { "<\($0)/>" }.joined() + "</D:prop></D:propfind>"
        return xml("PROPFIND", url, body, depth: depth)
    }

    static func xml(_ method: String, _ url: String, _ body: String, depth: Int?) -> HTTPRequest {
        var headers = ["Content-Type": "application/xml; charset=utf-8"]
        if let depth { headers["Depth"] = "\(depth)" }
        let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
        return HTTPRequest(method, url, headers: headers, body: Data((head + body).utf8))
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
