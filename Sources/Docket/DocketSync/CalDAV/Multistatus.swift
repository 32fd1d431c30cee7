import FoundationEssentials
import XMLReading

/// The answer of WebDAV to a question about several resources (RFC 4918, 13).
///
/// Names of elements are compared without their namespaces: servers write any prefix for them, and
/// no two that are read here have the same name.
struct Multistatus {
    /// A property of a resource.
    struct Property {
        /// Its text, with that of the elements in it.
        var text: [UInt8] = []
        /// The names of the elements in it, and the values of their attribute `name`.
        var members: Set<String> = []
        /// The first href in it.
        var href: String?

        var string: String {
            String(decoding: text, as: UTF8.self).trimming()
        }
    }

    struct Response {
        var href = ""
        /// The status of the resource itself, if the answer says it.
        var status: Int?
        /// The properties that the server has.
        var properties: [String: Property] = [:]
    }

    fileprivate(set) var responses: [Response] = []
    /// The place after these changes (RFC 6578).
    fileprivate(set) var token: String?

    /// - Throws: ``SyncError`` for what is none.
    init(_ answer: HTTPResponse) throws {
        let reading = Reading()
        do {
            try XMLReader.read(answer.body, reading)
        } catch {
            let what = answer.isPage ? "a web page" : "something else (\(error))"
            throw SyncError(
                .server,
                "\(answer.url) has answered with \(what) instead of a list of resources; check the URL."
            )
        }
        guard reading.isMultistatus else {
            throw SyncError(
                .server,
                "\(answer.url) has answered without a list of resources; check the URL."
            )
        }
        (responses, token) = (reading.responses, reading.token)
    }

    private final class Reading: XMLHandler {
        var responses: [Response] = []
        var token: String?
        var isMultistatus = false
        private var path: [String] = []
        private var response = Response()
        private var text: [UInt8] = []
        /// The properties of one propstat, and its status.
        private var found: [String: Property] = [:]
        private var status: Int?
        private var property = Property()

        /// How deep `multistatus/response/propstat/prop/NAME` is.
        private static let depth = 5

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
            let name = Reading.local(name.string)
            path.append(name)
            text = []
            switch path.count {
            case 1: isMultistatus = name == "multistatus"
            case 2 where name == "response": response = Response()
            case 3 where name == "propstat": (found, status) = ([:], nil)
            case Reading.depth: property = Property()
            case (Reading.depth + 1)...:
                property.members.insert(name)
                if let value = attributes["name"] { property.members.insert(value.string) }
            default: break
            }
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws {
            text.append(contentsOf: bytes)
            if path.count >= Reading.depth, path[3] == "prop" {
                property.text.append(contentsOf: bytes)
            }
        }

        func end(_ name: XMLName) throws {
            let string = String(decoding: text, as: UTF8.self).trimming()
            let name = path.removeLast()
            switch (path.count, name) {
            case (1, "response"): responses.append(response)
            case (1, "sync-token"): token = string
            case (2, "href"): if response.href.isEmpty { response.href = string }
            case (2, "status"): response.status = Reading.code(string)
            case (2, "propstat"):
                if status.map({ $0 / 100 == 2 }) ?? true {
                    response.properties.merge(found) { $1 }
                }
            case (3, "status"): status = Reading.code(string)
            case (Reading.depth - 1, _): if path[3] == "prop" { found[name] = property }
            case (Reading.depth..., "href"): property.href = property.href ?? string
            default: break
            }
        }

        private static func local(_ name: String) -> String {
            name.split(separator: ":").last.map(String.init) ?? name
        }

        /// `HTTP/1.1 404 Not Found`.
        private static func code(_ status: String) -> Int? {
            let words = status.split(separator: " ")
            return words.count > 1 ? Int(words[1]) : nil
        }
    }
}

extension String {
    /// Without white space at its ends.
    func trimming() -> String {
        let isSpace: (UInt8) -> Bool = { $0 <= 32 }
        let bytes = utf8.drop(while: isSpace)
        let end = bytes.lastIndex { !isSpace($0) }
        return end.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
    }
}
