import Foundation
import Testing

@testable import DocketSync

/// A server of calendars in memory, with the quirks of real ones.
final class SimulatedCalDAV: HTTPTransport {
    /// How a server differs from what the standards say, or may choose.
    struct Quirks: Sendable, CustomTestStringConvertible {
        var name = "plain"
        var hasSyncTokens = true
        var hasCtags = true
        var tagsAnswers = true
        var hasWeakTags = false
        var hasWholeAddresses = false
        var prefix = "D:"
        /// Whether it forgets every token.
        var forgetsTokens = false
        /// Whether it refuses components in MKCALENDAR.
        var choosesComponents = false
        /// Whether it adds a line to what it gets.
        var changesContent = false
        /// Whether it moves objects.
        var moves = true
        /// How many changes one answer has; the rest follows with the next token.
        var part = Int.max
        /// Whether a version is made of the content alone.
        var versionsAreContents = false
        /// Whether a ctag is made of the content alone, so that one may come back.
        var ctagsAreContents = false
        /// What a calendar becomes that is put where nothing is.
        var wholeLists = WholeLists.refused

        var testDescription: String { name }

        static let all: [Quirks] = [
            Quirks(),
            Quirks(name: "as Nextcloud", tagsAnswers: true, prefix: "d:", choosesComponents: true),
            Quirks(name: "as iCloud", hasWholeAddresses: true, prefix: "", part: 3),
            Quirks(name: "without tokens", hasSyncTokens: false, moves: false),
            Quirks(name: "without tokens and tags", hasSyncTokens: false, hasCtags: false),
            Quirks(name: "that forgets tokens", forgetsTokens: true),
            Quirks(name: "that changes content", tagsAnswers: false, changesContent: true),
            Quirks(name: "behind a compressing proxy", hasWeakTags: true),
            Quirks(name: "as Radicale", versionsAreContents: true, wholeLists: .taken),
            contentTags,
        ]

        static let contentTags = Quirks(
            name: "whose tags come back",
            hasSyncTokens: false,
            versionsAreContents: true,
            ctagsAreContents: true
        )
    }

    /// What a server does with a whole calendar.
    enum WholeLists {
        case refused
        /// It makes a collection of it.
        case taken
        /// It makes a collection, with names of its own, and changes what it gets.
        case takenInItsOwnWay
        /// It makes a file of it.
        case kept
    }

    struct Resource {
        var data: String
        var version: Int
    }

    struct Collection {
        var name: String
        var isCalendar = true
        var color: String?
        var resources: [String: Resource] = [:]
        /// The paths in the order of their last changes.
        var changes: [(path: String, number: Int)] = []
    }

    var quirks = Quirks()
    var collections: [String: Collection] = [:]
    private(set) var requests: [HTTPRequest] = []
    var number = 1
    /// Which requests from now on are lost, and whether their effect is there.
    var losses: [Int: Bool] = [:]
    /// Whether a listing has only its first half.
    var cutsListings = false
    /// What is answered in place of the answer, without its effect; `nil` for nothing else.
    var answers: ((HTTPRequest) throws -> HTTPResponse?)?
    /// What becomes of an answer on its way.
    var changes: ((HTTPRequest, HTTPResponse) throws -> HTTPResponse)?

    static let home = "/dav/calendars/ada/"

    func forgetRequests() { requests = [] }

    func send(_ requests: [HTTPRequest]) throws -> [HTTPResponse] {
        try requests.map { request in
            self.requests.append(request)
            let isDone = losses.removeValue(forKey: 0)
            losses = Dictionary(uniqueKeysWithValues: losses.map { ($0 - 1, $1) })
            if isDone == false { throw SyncError(.offline, "The request was lost.") }
            var answer = try answers?(request) ?? self.answer(request)
            answer = try changes?(request, answer) ?? answer
            if isDone == true { throw SyncError(.offline, "The answer was lost.") }
            answer.url = answer.url.isEmpty ? request.url : answer.url
            return answer
        }
    }

    /// Puts an object as another program does.
    func put(_ data: String, _ name: String, in collection: String) {
        number += 1
        let path = WebAddress.path(name, in: collection)
        let crlf = data.replacingOccurrences(of: "\n", with: "\r\n")
        let version = version(of: crlf)
        collections[collection]?.resources[path] = Resource(data: crlf, version: version)
        collections[collection]?.changes.append((path, number))
    }

    func remove(_ path: String, in collection: String) {
        number += 1
        collections[collection]?.resources[path] = nil
        collections[collection]?.changes.append((path, number))
    }

    /// The texts of all objects of a collection.
    func texts(in collection: String) -> [String] {
        (collections[collection]?.resources ?? [:]).sorted { $0.key < $1.key }.map(\.value.data)
    }

    var allTexts: [String] { collections.keys.sorted().flatMap(texts) }

    // MARK: Answers

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        let address = WebAddress(request.url)
        let path = address?.path ?? ""
        let folder = WebAddress.folder(path)
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch request.method {
        case "PROPFIND": return propfind(path, depth: request.headers["Depth"] ?? "0")
        case "REPORT" where body.contains("sync-collection"): return changes(path, body)
        case "REPORT": return multiget(path, body)
        case "PUT" where path.hasSuffix("/"): return putWhole(path, body)
        case "PUT":
            guard let collection = collections[folder] else { return HTTPResponse(status: 409) }
            let present = collection.resources[path]
            if request.headers["If-None-Match"] == "*", present != nil {
                return HTTPResponse(status: 412)
            }
            if let wanted = request.headers["If-Match"],
                present.map({ "\"\($0.version)\"" }) != wanted
            {
                return HTTPResponse(status: 412)
            }
            number += 1
            var data = body
            if quirks.changesContent, !data.contains("X-SERVER") {
                data = data.replacingOccurrences(
                    of: "BEGIN:VTODO",
                    with: "BEGIN:VTODO\r\nX-SERVER:1"
                )
            }
            let version = version(of: data)
            collections[folder]?.resources[path] = Resource(data: data, version: version)
            collections[folder]?.changes.append((path, number))
            let headers = quirks.tagsAnswers ? ["etag": tag(version)] : [:]
            return HTTPResponse(status: present == nil ? 201 : 204, headers: headers)
        case "DELETE":
            if let present = collections[path] {
                let tag = tag(present.changes.last?.number ?? 0)
                if let wanted = request.headers["If-Match"], wanted != tag {
                    return HTTPResponse(status: 412)
                }
                collections[path] = nil
                return HTTPResponse(status: 204)
            }
            guard let present = collections[folder]?.resources[path] else {
                return HTTPResponse(status: 404)
            }
            if let wanted = request.headers["If-Match"], wanted != "\"\(present.version)\"" {
                return HTTPResponse(status: 412)
            }
            remove(path, in: folder)
            return HTTPResponse(status: 204)
        case "MOVE": return move(path, to: request.headers["Destination"] ?? "")
        case "MKCALENDAR":
            if collections[path] != nil { return HTTPResponse(status: 405) }
            if quirks.choosesComponents, body.contains("comp name") {
                return HTTPResponse(status: 403)
            }
            collections[path] = Collection(name: Self.between("displayname", body) ?? "")
            return HTTPResponse(status: 201)
        case "PROPPATCH":
            collections[path]?.name = Self.between("displayname", body) ?? ""
            if let color = body.firstMatch(of: /calendar-color[^>]*>(#[0-9a-f]+)/)?.1 {
                collections[path]?.color = String(color)
            }
            return HTTPResponse(status: 207, body: Data("<multistatus/>".utf8))
        default: return HTTPResponse(status: 405)
        }
    }

    private func move(_ path: String, to destination: String) -> HTTPResponse {
        let target = WebAddress(destination)?.path ?? ""
        let (folder, place) = (WebAddress.folder(path), WebAddress.folder(target))
        guard quirks.moves else { return HTTPResponse(status: 405) }
        guard let resource = collections[folder]?.resources[path] else {
            return HTTPResponse(status: 404)
        }
        guard collections[place] != nil else { return HTTPResponse(status: 409) }
        guard collections[place]?.resources[target] == nil else { return HTTPResponse(status: 412) }
        remove(path, in: folder)
        number += 1
        collections[place]?.resources[target] = Resource(data: resource.data, version: number)
        collections[place]?.changes.append((target, number))
        return HTTPResponse(status: 201)
    }

    private func version(of data: String) -> Int {
        quirks.versionsAreContents ? abs(data.hashValue) : number
    }

    func tag(_ version: Int) -> String {
        quirks.hasWeakTags ? "W/\"\(version)-gzip\"" : "\"\(version)\""
    }

    private static func between(_ name: String, _ text: String) -> String? {
        guard let start = text.range(of: "\(name)>"),
            let end = text.range(of: "</", range: start.upperBound..<text.endIndex)
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    private func element(_ name: String, _ content: String) -> String {
        "<\(quirks.prefix)\(name)>\(content)</\(quirks.prefix)\(name)>"
    }

    private func href(_ path: String) -> String {
        element("href", (quirks.hasWholeAddresses ? "https://cal.example.org" : "") + path)
    }

    private func response(_ path: String, _ properties: String) -> String {
        let status = element("status", "HTTP/1.1 200 OK")
        return element(
            "response",
            href(path) + element("propstat", element("prop", properties) + status)
        )
    }

    private func missing(_ path: String) -> String {
        element("response", href(path) + element("status", "HTTP/1.1 404 Not Found"))
    }

    private func multistatus(_ content: String) -> HTTPResponse {
        let name = quirks.prefix.isEmpty ? "xmlns" : "xmlns:\(quirks.prefix.dropLast())"
        let text =
            "<?xml version=\"1.0\"?>\n<\(quirks.prefix)multistatus \(name)=\"DAV:\">\(content)"
            + "</\(quirks.prefix)multistatus>"
        return HTTPResponse(status: 207, body: Data(text.utf8))
    }

    private func propfind(_ path: String, depth: String) -> HTTPResponse {
        if path == "/" || path == "/.well-known/caldav" {
            return multistatus(response(path, element("current-user-principal", href("/dav/ada/"))))
        }
        if path == "/dav/ada/" {
            return multistatus(response(path, element("calendar-home-set", href(Self.home))))
        }
        if path == Self.home {
            return multistatus(
                collections.sorted { $0.key < $1.key }.map { response($0, description($1)) }
                    .joined()
            )
        }
        guard let collection = collections[path] else { return HTTPResponse(status: 404) }
        if depth == "0" { return multistatus(response(path, description(collection))) }
        var resources = collection.resources.sorted { $0.key < $1.key }
        if cutsListings { resources.removeLast(resources.count / 2) }
        return multistatus(
            response(path, description(collection))
                + resources.map { response($0, element("getetag", tag($1.version))) }.joined()
        )
    }

    private func description(_ collection: Collection) -> String {
        let number = collection.changes.last?.number ?? 0
        let ctag =
            quirks.ctagsAreContents ? collection.resources.mapValues(\.data).hashValue : number
        let calendar = collection.isCalendar ? "<\(quirks.prefix)calendar/>" : ""
        return element("resourcetype", "<\(quirks.prefix)collection/>\(calendar)")
            + (quirks.wholeLists == .taken ? element("getetag", tag(number)) : "")
            + element("displayname", CalDAVClient.escaped(collection.name))
            + (collection.color.map { element("calendar-color", $0) } ?? "")
            + (quirks.hasSyncTokens ? element("sync-token", "urn:\(number)") : "")
            + (quirks.hasCtags ? element("getctag", "\(ctag)") : "")
    }

    private func changes(_ path: String, _ body: String) -> HTTPResponse {
        guard let collection = collections[path], quirks.hasSyncTokens, !quirks.forgetsTokens,
            let token = Self.between("sync-token", body),
            let since = token.isEmpty ? 0 : Int(token.dropFirst(4))
        else { return HTTPResponse(status: 403) }
        let all = collection.changes.filter { $0.number > since }
        var part = all.prefix(quirks.part)
        if cutsListings, since == 0 { part = part.dropLast(part.count / 2) }
        var text = ""
        for path in Set(part.map(\.path)).sorted() {
            if let resource = collection.resources[path] {
                text += response(path, element("getetag", tag(resource.version)))
            } else {
                text += element(
                    "response",
                    href(path) + element("status", "HTTP/1.1 404 Not Found")
                )
            }
        }
        if part.count < all.count, !cutsListings {
            let status = element("status", "HTTP/1.1 507 Insufficient Storage")
            text += element("response", href(path) + status)
        }
        text += element("sync-token", "urn:\(part.last?.number ?? since)")
        return multistatus(text)
    }

    private func multiget(_ path: String, _ body: String) -> HTTPResponse {
        var text = ""
        for piece in body.components(separatedBy: "<D:href>").dropFirst() {
            let path = piece.components(separatedBy: "</D:href>")[0]
            if let resource = collections[WebAddress.folder(path)]?.resources[path] {
                let data = CalDAVClient.escaped(resource.data)
                text += response(
                    path,
                    element("getetag", tag(resource.version)) + element("calendar-data", data)
                )
            } else {
                text += element(
                    "response",
                    href(path) + element("status", "HTTP/1.1 404 Not Found")
                )
            }
        }
        return multistatus(text)
    }
}
