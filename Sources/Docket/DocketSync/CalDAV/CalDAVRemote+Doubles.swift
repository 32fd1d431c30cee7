import FoundationEssentials
import ObjectSync

// An item that is in two collections. A client that has changed an item in a list from which it was moved
// meanwhile puts it there again; a program that ends between writing a moved item and deleting it leaves
// both. A replica knows one place of each item.
//
//   a place that it does not know, while the item is still where it was
//                             it is merged as a change, and the former resource is deleted
//   both are new, or both have changed
//                             the known one counts, else the first; the other waits (`doubles`), because
//                             a replica that knew one of them will decide
//
// What is to be deleted is in the token that is saved with the merge, so a crash does not forget it.

extension CalDAVRemote {
    /// Takes out of a part of a pull what is a second time on the server.
    func settleDoubles(_ items: [RemoteItem]) throws -> [RemoteItem] {
        let known = try knownPlaces(items.map(\.record.key))
        return items.filter { item in
            let (key, path) = (item.record.key, item.href)
            // What this replica has sent itself is among the changes.
            if let base = known[key], base == (path, item.version) { return false }
            if let other = pulled[key], other != path {
                place.doubles[path] = item.version
                return false
            }
            if let base = known[key], base.href != path, isThere(base.href) {
                let hasChanged = asked[base.href].map { $0 != base.version } ?? false
                if hasChanged || waiting[path] == item.version {
                    place.doubles[path] = item.version
                    return false
                }
                place.strays[base.href] = base.version
            }
            pulled[key] = path
            place.strays[path] = nil
            return true
        }
    }

    /// Whether nothing says that a resource is gone.
    private func isThere(_ path: String) -> Bool {
        collections[WebAddress.folder(path)] != nil && !gone.contains(path)
    }

    /// Deletes the former resources of items that were merged from another place.
    func deleteStrays() throws {
        if place.strays.isEmpty { return }
        let known = try knownVersions()
        let strays = place.strays.filter { known[$0.key] == nil }.sorted { $0.key < $1.key }
        let requests = strays.map { path, version in
            HTTPRequest(
                "DELETE",
                address(path).url,
                headers: ["If-Match": CalDAVRemote.quoted(version)]
            )
        }
        // One that has changed meanwhile stays, and comes with the next pull.
        for answer in try client.transport.send(requests)
        where ![403, 404, 405, 412].contains(answer.status) { try client.check(answer) }
        place.strays = [:]
    }
}
