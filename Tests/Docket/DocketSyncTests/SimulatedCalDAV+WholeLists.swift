import Foundation

@testable import DocketSync

extension SimulatedCalDAV {
    /// A calendar that is put where a collection could be.
    func putWhole(_ path: String, _ body: String) -> HTTPResponse {
        if collections[path] != nil { return HTTPResponse(status: 412) }
        if quirks.wholeLists == .refused { return HTTPResponse(status: 405) }
        let lines = body.components(separatedBy: "\r\n")
        let title = lines.first { $0.hasPrefix("X-WR-CALNAME:") }?.dropFirst(13) ?? ""
        let name = String(title).replacing(/\\\\(.)/) { String($0.1) }
        var made = Collection(name: quirks.wholeLists == .taken ? name : "")
        number += 1
        if quirks.wholeLists == .kept {
            made.isCalendar = false
            made.changes.append((path, number))
        } else {
            for component in ["VTODO", "VJOURNAL"] {
                for part in body.components(separatedBy: "BEGIN:\(component)\r\n").dropFirst() {
                    let end = "END:\(component)\r\n"
                    let content = part.components(separatedBy: end)[0]
                    let uid = content.components(separatedBy: "UID:")[1]
                        .components(separatedBy: "\r\n")[0]
                    let own = quirks.wholeLists == .taken ? "\(uid).ics" : "x\(number)"
                    let extra = quirks.wholeLists == .taken ? "" : "X-SERVER:1\r\n"
                    let file = WebAddress.path(own, in: path)
                    number += 1
                    made.resources[file] = Resource(
                        data: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:\(component)\r\n"
                            + "\(content)\(extra)\(end)END:VCALENDAR\r\n",
                        version: number
                    )
                    made.changes.append((file, number))
                }
            }
        }
        collections[path] = made
        return HTTPResponse(status: 201, headers: ["etag": tag(number)])
    }
}
