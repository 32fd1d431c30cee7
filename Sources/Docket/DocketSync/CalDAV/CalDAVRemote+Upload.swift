import DocketCore
import DocketFormats
import FoundationEssentials
public import ObjectSync

// A list that the server does not have is sent whole: some servers (Radicale, DAViCal) make a
// collection of a calendar that is put where none is, at a tenth of the cost of its items. The PUT
// says that nothing may be there (If-None-Match), so whatever is lost, nothing is overwritten; a
// listing says then where the items are. What another server answers means that the list is made by
// MKCALENDAR, and its items are sent one by one.

extension CalDAVRemote {
    /// How many new items are worth a try to send them at once.
    private static let fewest = 10
    /// How many bytes are sent at once.
    private static let mostBytes = 50 << 20

    public func parts(of edits: [RemoteEdit]) throws -> [[RemoteEdit]] {
        try locate()
        let lists = newLists(edits)
        let indices = Set(lists.flatMap(\.indices))
        let others = edits.indices.filter { !indices.contains($0) }.map { edits[$0] }
        // A list is deleted when its items have left it.
        let isLast: (RemoteEdit) -> Bool = {
            $0.key.entity == SyncEntities.list && $0.record == nil
        }
        let rest = others.filter { !isLast($0) } + others.filter(isLast)
        return lists.map { $0.indices.map { edits[$0] } } + rest.inBatches()
    }

    /// A list that is not on the server: its own edit, and those of its items.
    private struct NewList {
        var path: String
        var name: String
        var indices: [Int]
    }

    /// The lists that may be sent whole.
    private func newLists(_ edits: [RemoteEdit]) -> [NewList] {
        if place.isCollection || !takesWholeLists { return [] }
        var lists: [String: NewList] = [:]
        for (index, edit) in edits.enumerated()
        where edit.key.entity == SyncEntities.list && edit.href == nil {
            guard case .string(let name)? = edit.record?.values["name"] else { continue }
            let path = path(ofNewList: edit.key.name)
            lists[edit.key.name] = NewList(path: path, name: name, indices: [index])
        }
        lists[""] = NewList(path: inbox, name: CalDAVRemote.inboxName, indices: [])
        for (index, edit) in edits.enumerated() where edit.key.entity == SyncEntities.item {
            guard let record = edit.record, edit.href == nil, record.extra == nil,
                record.values["trashed"] ?? .null == .null, !refused.contains(edit.key)
            else { continue }
            lists[record.values["list"]?.names.first ?? ""]?.indices.append(index)
        }
        return lists.values.sorted { $0.path < $1.path }.filter {
            collections[$0.path] == nil && $0.indices.count >= CalDAVRemote.fewest
        }
    }

    func uploadWholeLists(_ edits: [RemoteEdit], _ answers: inout [RemoteAnswer?]) throws {
        for list in newLists(edits) where takesWholeLists { try upload(list, edits, &answers) }
    }

    private func upload(
        _ list: NewList,
        _ edits: [RemoteEdit],
        _ answers: inout [RemoteAnswer?]
    ) throws {
        let (data, sent, left) = calendar(list, edits)
        var request = HTTPRequest(
            "PUT",
            address(list.path).url,
            headers: ["Content-Type": "text/calendar; charset=utf-8", "If-None-Match": "*"],
            body: data
        )
        request.isLong = true
        let answer = try client.transport.send(request)
        switch answer.status {
        case 200..<300: break
        case 412:
            // Somebody has made the collection meanwhile.
            isLocated = false
            return try locate()
        case 413: return
        case 401, 429, 502...504: return try client.check(answer)
        default:
            takesWholeLists = false
            return
        }
        let (properties, resources, token) = try client.contents(of: address(list.path))
        guard properties["resourcetype"]?.members.contains("calendar") ?? false else {
            // It is a file.
            takesWholeLists = false
            guard let version = answer.headers["etag"] else { return }
            let deletion = HTTPRequest(
                "DELETE",
                address(list.path).url,
                headers: ["If-Match": version]
            )
            _ = try client.transport.send(deletion)
            return
        }
        collections[list.path] = CalDAVClient.Collection(
            path: list.path,
            name: properties["displayname"]?.string ?? "",
            syncToken: token,
            components: []
        )
        // Versions of another time may have changes of others, which the next pull reads.
        let tag = properties["getetag"]?.string ?? ""
        let isSame = !tag.isEmpty && answer.headers["etag"] == tag
        // The changes since then are those of others.
        if isSame, let token { written[list.path] = token }
        let hrefs = try hrefs(resources)
        for index in sent {
            guard let found = hrefs[edits[index].key.name] else {
                answers[index] = .mismatch
                continue
            }
            answers[index] = .stored(href: found.path, version: isSame ? found.version : "?")
        }
        // They are sent by themselves with the next push.
        for index in left { answers[index] = .mismatch }
        guard let index = list.indices.first, edits[index].key.entity == SyncEntities.list else {
            return
        }
        answers[index] = try push(list: edits[index])
    }

    /// The calendar of a list.
    ///
    /// - Returns: the calendar, the items in it, and those for which it has no room.
    private func calendar(
        _ list: NewList,
        _ edits: [RemoteEdit]
    ) -> (data: Data, sent: [Int], left: [Int]) {
        var writer = ICalendarWriter(settings: settings, name: list.name)
        var (data, sent, left): (Data, [Int], [Int]) = (Data(), [], [])
        for index in list.indices {
            guard let record = edits[index].record, var item = ItemRecord(record) else { continue }
            item.extra = ICalendarRules.ofResource(item.extra)
            if data.count > CalDAVRemote.mostBytes {
                left.append(index)
                continue
            }
            writer.write(item)
            data += writer.drain()
            sent.append(index)
        }
        writer.finish()
        return (data + writer.drain(), sent, left)
    }

    /// The resources of a new collection by the names of their items.
    private func hrefs(
        _ resources: [CalDAVClient.Resource]
    ) throws -> [String: CalDAVClient.Resource] {
        var found: [String: CalDAVClient.Resource] = [:]
        var others: [String] = []
        for resource in resources {
            let file = WebAddress(resource.path, relativeTo: home)?.name ?? ""
            let name = file.lowercased().hasSuffix(".ics") ? String(file.dropLast(4)) : file
            if let uuid = UUIDText.parse(name) {
                found[uuid.uuidString] = resource
            } else {
                others.append(resource.path)
            }
        }
        for (folder, paths) in Dictionary(grouping: others, by: WebAddress.folder) {
            for resource in try client.get(paths, in: address(folder)) {
                guard let data = resource.data, let read = CalendarResource(data, settings) else {
                    continue
                }
                found[read.item.uuid.uuidString] = resource
            }
        }
        return found
    }
}
