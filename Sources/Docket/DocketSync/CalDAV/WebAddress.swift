import FoundationEssentials

/// An address on a server: its origin, and a path whose spelling is always the same.
struct WebAddress: Hashable {
    /// `https://cal.example.org:8443`.
    var origin: String
    /// It begins with a slash; what need not be escaped is not.
    var path: String

    var url: String { origin + path }

    /// - Parameters:
    ///   - text: a whole address, or a path of another one's origin.
    ///   - base: that other one.
    init?(_ text: String, relativeTo base: WebAddress? = nil) {
        if let range = text.firstRange(of: "://") {
            let rest = text[range.upperBound...]
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            let scheme = text[..<range.lowerBound].lowercased()
            guard ["http", "https"].contains(scheme), end > rest.startIndex else { return nil }
            origin = "\(scheme)://\(rest[..<end].lowercased())"
            path = WebAddress.spelled(String(rest[end...]))
        } else if let base {
            origin = base.origin
            let folder = base.path.hasSuffix("/") ? base.path : base.path + "/"
            path = WebAddress.spelled(text.hasPrefix("/") ? text : folder + text)
        } else {
            return nil
        }
    }

    /// The last part of the path, without escapes.
    var name: String {
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return String(decoding: WebAddress.unescaped(last).map(\.byte), as: UTF8.self)
    }

    /// The path of a resource in a collection.
    static func path(_ name: String, in collection: String) -> String {
        spelled(collection + (collection.hasSuffix("/") ? "" : "/") + name)
    }

    /// The collection in which a resource is.
    static func folder(_ path: String) -> String {
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.endIndex
        return String(path[..<end])
    }

    /// Whether the password for one address may be sent to another: the same domain, and not without
    /// encryption if the first has it.
    func isTrusted(like other: WebAddress) -> Bool {
        if origin == other.origin { return true }
        func parts(_ origin: String) -> (scheme: Substring, domain: ArraySlice<Substring>) {
            let pieces = origin.split(separator: ":", maxSplits: 1)
            let host = pieces[1].dropFirst(2).split(separator: ":").first ?? ""
            return (pieces[0], host.split(separator: ".").suffix(2))
        }
        let (mine, theirs) = (parts(origin), parts(other.origin))
        return mine.scheme == "https" && mine.domain.count == 2 && mine.domain == theirs.domain
            && mine.domain.contains { $0.contains { !$0.isNumber } }
    }

    /// Escapes what must be escaped, in capital letters; an escaped slash stays one.
    private static func spelled(_ path: String) -> String {
        let plain = path.split(separator: "?", omittingEmptySubsequences: false).first ?? ""
        var bytes: [UInt8] = []
        for (byte, wasEscaped) in unescaped(String(plain)) {
            switch byte {
            case 48...57, 65...90, 97...122: bytes.append(byte)
            case 47 where !wasEscaped: bytes.append(byte)
            case _ where "-._~@:!$&'()*+,;=".utf8.contains(byte): bytes.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix("/") ? text : "/" + text
    }

    private static func unescaped(_ text: String) -> [(byte: UInt8, wasEscaped: Bool)] {
        let bytes = Array(text.utf8)
        var (result, at) = ([(byte: UInt8, wasEscaped: Bool)](), 0)
        while at < bytes.count {
            if bytes[at] == 37, at + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[at + 1...at + 2], as: UTF8.self), radix: 16)
            {
                result.append((byte, true))
                at += 3
            } else {
                result.append((bytes[at], false))
                at += 1
            }
        }
        return result
    }
}
