import DocketCore
import DocketFormats
import FoundationEssentials
public import ObjectSync

// Every change names the version that the server must have (If-Match), or that it must have none
// (If-None-Match). Lists are made before items are sent. Items that leave a list are moved, and then
// merged and sent as after any change of another; a server that moves nothing gets them in the new
// collection before they are deleted from the former one, and another replica may see both.

extension CalDAVRemote {
    public func push(_ edits: [RemoteEdit]) throws -> [RemoteAnswer] {
        var answers = [RemoteAnswer?](repeating: nil, count: edits.count)
        try uploadWholeLists(edits, &answers)
        for (index, edit) in edits.enumerated()
        where answers[index] == nil && edit.key.entity == SyncEntities.list && edit.record != nil {
            answers[index] = try push(list: edit)
        }
        try pushItems(edits, &answers)
        for (index, edit) in edits.enumerated() where answers[index] == nil {
            answers[index] = try delete(list: edit)
        }
        for edit in edits where edit.key.entity == SyncEntities.item {
            for path in [edit.href, attempts[edit.key], moved[edit.key]].compactMap(\.self) {
                let folder = WebAddress.folder(path)
                if collections[folder]?.syncToken == nil, written[folder] == nil {
                    written[folder] = ""
                }
            }
        }
        return answers.map { $0 ?? .deleted }
    }

    public func token(afterPush token: String?) -> String? {
        guard let token, var kept = CalDAVPlace(token) else { return token }
        for (path, token) in written where token != "" || kept.tokens[path] != nil {
            kept.tokens[path] = token
        }
        written = [:]
        return kept.text
    }

    // MARK: Items

    /// What becomes of an edit of an item.
    private enum Plan {
        case put(path: String, former: String?)
        case delete
        /// The server does not have it and does not get it.
        case leave
    }

    private func pushItems(_ edits: [RemoteEdit], _ answers: inout [RemoteAnswer?]) throws {
        var requests: [(index: Int, request: HTTPRequest, former: String?)] = []
        var deletions: [(index: Int, path: String, version: String?)] = []
        let plans = try edits.enumerated().map { index, edit in
            answers[index] == nil && edit.key.entity == SyncEntities.item
                && !refused.contains(edit.key)
                ? try plan(edit) : .leave
        }
        try move(plans, edits, &answers)
        for (index, edit) in edits.enumerated()
        where answers[index] == nil && edit.key.entity == SyncEntities.item {
            if refused.contains(edit.key) {
                answers[index] = edit.href == nil ? .deleted : .mismatch
                continue
            }
            switch plans[index] {
            case .leave: answers[index] = .deleted
            case .delete: deletions.append((index, edit.href ?? "", edit.version))
            case .put(let path, let former):
                guard let record = edit.record, let item = ItemRecord(record) else { continue }
                attempts[edit.key] = path
                var request = HTTPRequest(
                    "PUT",
                    address(path).url,
                    headers: ["Content-Type": "text/calendar; charset=utf-8"],
                    body: CalendarResource.data(item, former: record.extra, settings)
                )
                let isNew = edit.href != path
                request.headers[isNew ? "If-None-Match" : "If-Match"] =
                    isNew ? "*" : CalDAVRemote.quoted(edit.version)
                requests.append((index, request, former))
            }
        }
        let responses = try client.transport.send(requests.map(\.request))
        for ((index, _, former), response) in zip(requests, responses) {
            let answer = try answer(to: edits[index], response)
            answers[index] = answer
            guard let former, case .stored = answer else { continue }
            deletions.append((index, former, edits[index].version))
        }
        try delete(deletions, edits, &answers)
    }

    /// Moves items to their new collections in one step each, as long as the server does that.
    private func move(
        _ plans: [Plan],
        _ edits: [RemoteEdit],
        _ answers: inout [RemoteAnswer?]
    ) throws {
        for (index, plan) in plans.enumerated() where movesItems {
            guard case .put(let path, let former?) = plan else { continue }
            let headers = ["Destination": address(path).url, "Overwrite": "F"]
            let request = HTTPRequest("MOVE", address(former).url, headers: headers)
            let answer = try client.transport.send(request)
            switch answer.status {
            case 200, 201, 204:
                moved[edits[index].key] = path
                answers[index] = .mismatch
            case 404: answers[index] = .mismatch
            case 400, 403, 405, 409, 415, 501, 502: movesItems = false
            // Something is there already.
            case 412: continue
            default: try client.check(answer)
            }
        }
    }

    private func plan(_ edit: RemoteEdit) throws -> Plan {
        guard let record = edit.record else { return edit.href == nil ? .leave : .delete }
        // Servers have no trash.
        if record.values["trashed"] ?? .null != .null {
            return edit.href == nil ? .leave : .delete
        }
        let collection = try collection(for: record)
        if let href = edit.href, WebAddress.folder(href) == collection {
            return .put(path: href, former: nil)
        }
        let component = record.kind == "Note" ? "VJOURNAL" : "VTODO"
        if let known = collections[collection], !known.takes(component) {
            let what = record.kind == "Note" ? "notes" : "tasks"
            let problem = "\(known.name) takes no \(what); those of it stay here alone."
            if !problems.contains(problem) { problems.append(problem) }
            return edit.href == nil ? .leave : .put(path: edit.href ?? "", former: nil)
        }
        let file = edit.href?.split(separator: "/").last.map(String.init)
        let path = WebAddress.path(file ?? "\(edit.key.name.lowercased()).ics", in: collection)
        return .put(path: path, former: edit.href)
    }

    /// The collection for an item, which is made if it is not there.
    private func collection(for record: SyncRecord) throws -> String {
        if place.isCollection { return home.path }
        guard let list = record.values["list"]?.names.first else {
            if collections[inbox] == nil { try make(inbox, CalDAVRemote.inboxName) }
            return inbox
        }
        if let known = collections.values.first(where: { CalDAVRemote.id($0.path) == list }) {
            return known.path
        }
        let path = path(ofNewList: list)
        try make(path, list.lowercased())
        return path
    }

    func path(ofNewList name: String) -> String {
        WebAddress.path("\(name.lowercased())/", in: home.path)
    }

    private func answer(to edit: RemoteEdit, _ response: HTTPResponse) throws -> RemoteAnswer {
        switch response.status {
        case 200 where response.isPage:
            try client.check(response)
            return .mismatch
        case 200, 201, 204:
            // A server that changes what it gets says no version; the next pull reads it.
            let version = response.headers["etag"].map(CalDAVClient.version) ?? "?"
            return .stored(href: attempts[edit.key] ?? "", version: version)
        case 404 where edit.href != nil, 412: return .mismatch
        case 400, 403, 404, 405, 409, 413, 415, 422:
            var title = edit.key.name
            if case .string(let text)? = edit.record?.values["title"] { title = text }
            problems.append(
                "The server has refused “\(title)” (\(response.status)); it stays here."
            )
            refused.insert(edit.key)
            return edit.href == nil ? .deleted : .mismatch
        default:
            try client.check(response)
            return .mismatch
        }
    }

    private func delete(
        _ deletions: [(index: Int, path: String, version: String?)],
        _ edits: [RemoteEdit],
        _ answers: inout [RemoteAnswer?]
    ) throws {
        let requests = deletions.map { _, path, version in
            HTTPRequest(
                "DELETE",
                address(path).url,
                headers: ["If-Match": CalDAVRemote.quoted(version)]
            )
        }
        for ((index, _, _), response) in zip(deletions, try client.transport.send(requests)) {
            switch response.status {
            case 200..<300, 404, 410: answers[index] = answers[index] ?? .deleted
            case 412:
                // Somebody has changed it in its former list: the copy in the new one goes again.
                if case .stored(let href, let version)? = answers[index] {
                    _ = try client.transport.send(
                        HTTPRequest(
                            "DELETE",
                            address(href).url,
                            headers: ["If-Match": CalDAVRemote.quoted(version)]
                        )
                    )
                }
                answers[index] = .mismatch
            default: try client.check(response)
            }
        }
    }

    static func quoted(_ version: String?) -> String { "\"\(version ?? "")\"" }

    // MARK: Lists

    func push(list edit: RemoteEdit) throws -> RemoteAnswer {
        guard !place.isCollection, case .string(let name)? = edit.record?.values["name"] else {
            return .deleted
        }
        let path = edit.href ?? path(ofNewList: edit.key.name)
        var color: String?
        if case .string(let text)? = edit.record?.values["color"] {
            color = CalDAVClient.Collection.color(text)
        }
        if edit.href == nil, collections[path] == nil { try make(path, name) }
        let known = collections[path]
        if let known, known.name == name, color == nil || color == known.color {
            return .stored(href: path, version: known.version)
        }
        let set = color.map {
            "<A:calendar-color xmlns:A=\"http://apple.com/ns/ical/\">\($0)</A:calendar-color>"
        }
        let body =
            "<D:propertyupdate xmlns:D=\"DAV:\"><D:set><D:prop><D:displayname>"
            + "\(CalDAVClient.escaped(name))</D:displayname>\(set ?? "")</D:prop></D:set>"
            + "</D:propertyupdate>"
        let answer = try client.transport.send(
            CalDAVClient.xml("PROPPATCH", address(path).url, body, depth: nil)
        )
        if answer.status == 404 { return .mismatch }
        try client.check(answer)
        collections[path]?.name = name
        if let color { collections[path]?.color = color }
        return .stored(href: path, version: collections[path]?.version ?? name)
    }

    /// Makes a collection for tasks and notes.
    private func make(_ path: String, _ name: String) throws {
        func request(_ components: String) -> HTTPRequest {
            let body =
                "<C:mkcalendar xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><D:set>"
                + "<D:prop><D:displayname>\(CalDAVClient.escaped(name))</D:displayname>"
                + components + "</D:prop></D:set></C:mkcalendar>"
            return CalDAVClient.xml("MKCALENDAR", address(path).url, body, depth: nil)
        }
        let both = ["VTODO", "VJOURNAL"].map { "<C:comp name=\"\($0)\"/>" }.joined()
        let set = "C:supported-calendar-component-set"
        var answer = try client.transport.send(request("<\(set)>\(both)</\(set)>"))
        // Some servers choose the components themselves.
        if [400, 403, 415, 422].contains(answer.status) {
            answer = try client.transport.send(request(""))
        }
        if answer.status == 403 || answer.status == 405 && collections[path] == nil {
            throw SyncError(
                .server,
                "The server makes no calendar for “\(name)” (\(answer.status)); make one there and give"
                    + " its URL as url of [sync.\(self.name)]."
            )
        }
        try client.check(answer)
        collections[path] = CalDAVClient.Collection(path: path, name: name, components: [])
    }

    /// Deletes the collection of a list that is deleted here, if nothing is left in it.
    ///
    /// With something in it, that of another program for example, the list comes back.
    private func delete(list edit: RemoteEdit) throws -> RemoteAnswer {
        guard let href = edit.href, collections[href] != nil else { return .deleted }
        let (properties, resources, _) = try client.contents(of: address(href))
        if !resources.isEmpty { return .deleted }
        var request = HTTPRequest("DELETE", address(href).url)
        // Somebody may put something into it meanwhile.
        if let tag = properties["getetag"]?.string, !tag.isEmpty {
            request.headers["If-Match"] = tag
        }
        let answer = try client.transport.send(request)
        if answer.status == 412 { return .deleted }
        if answer.status != 404 { try client.check(answer) }
        (collections[href], place.tokens[href]) = (nil, nil)
        return .deleted
    }
}
