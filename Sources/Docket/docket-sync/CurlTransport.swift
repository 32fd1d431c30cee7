import CCurl
import DocketSync
import FoundationEssentials
import Glibc

/// Requests by libcurl.
final class CurlTransport: HTTPTransport {
    // Safety: open as long as the transport; closed at its end.
    private let session: OpaquePointer
    private let patience: Int
    /// How much longer a server may be silent that reads or writes all of a collection.
    ///
    /// Radicale on a busy machine takes 200 s to list 100,000 items.
    private static let longFactor = 10
    /// How quickly a slow server stores what it was sent: Radicale on a disk that takes 24 ms to sync.
    private static let bytesPerSecond = 10_000

    /// - Parameters:
    ///   - user: the user's name; empty for none.
    ///   - password: the password.
    ///   - authority: a file of certificates that are trusted.
    ///   - patience: how many seconds a server may be silent that has little to do.
    /// - Throws: ``SyncError`` if the system has no memory.
    init(user: String, password: String, authority: String?, patience: Int) throws {
        guard let session = ccurl_open(user, password, authority) else {
            throw SyncError(.configuration, "The system has no memory left.")
        }
        (self.session, self.patience) = (session, patience)
    }

    deinit { ccurl_close(session) }

    func send(_ requests: [HTTPRequest]) throws -> [HTTPResponse] {
        if requests.isEmpty { return [] }
        let arena = Arena()
        let forms = requests.map { request in
            let lines = request.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return ccurl_request(
                method: arena.text(request.method),
                url: arena.text(request.url),
                headers: arena.texts(lines),
                header_count: Int32(lines.count),
                body: request.body.map { arena.bytes($0) },
                body_length: request.body?.count ?? 0,
                patience: patience(request)
            )
        }
        var answers = [ccurl_response](repeating: ccurl_response(), count: requests.count)
        ccurl_send(session, forms, &answers, Int32(requests.count))
        defer { ccurl_free(&answers, Int32(requests.count)) }
        withExtendedLifetime(arena) {}
        return try zip(requests, answers).map { try response($0, $1) }
    }

    private func patience(_ request: HTTPRequest) -> Int {
        (request.isLong ? patience * CurlTransport.longFactor : patience)
            + (request.body?.count ?? 0) / CurlTransport.bytesPerSecond
    }

    private func response(
        _ request: HTTPRequest,
        _ answer: ccurl_response
    ) throws -> HTTPResponse {
        if answer.problem != Int32(CCURL_NONE.rawValue) {
            var message = answer.message
            let why = withUnsafeBytes(of: &message) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let host = request.url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
            switch UInt32(answer.problem) {
            case CCURL_OFFLINE.rawValue:
                throw SyncError(.offline, "\(host) cannot be reached: \(why).")
            case CCURL_SILENT.rawValue:
                throw SyncError(
                    .offline,
                    "\(host) was reached, but has not come to an end: it has said hardly"
                        + " anything for \(patience(request)) s. Nothing is lost; synchronize again later."
                )
            case CCURL_CERTIFICATE.rawValue:
                throw SyncError(
                    .certificate,
                    "The certificate of \(host) is not accepted: \(why). Nothing was sent."
                )
            default: throw SyncError(.server, "The request to \(host) has failed: \(why).")
            }
        }
        var headers: [String: String] = [:]
        if let bytes = answer.headers {
            let text = UnsafeRawBufferPointer(start: bytes, count: answer.header_length)
            for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                headers[line[..<colon].lowercased()] = String(value)
            }
        }
        return HTTPResponse(
            status: answer.status,
            headers: headers,
            body: answer.body.map { Data(bytes: $0, count: answer.body_length) } ?? Data(),
            url: answer.url.map { String(cString: $0) } ?? request.url
        )
    }

    /// Texts and bytes for the time of a call.
    private final class Arena {
        // Safety: freed at the end of the arena, which outlives the call.
        private var blocks: [UnsafeMutableRawPointer] = []

        deinit { for block in blocks { block.deallocate() } }

        private func room(_ count: Int) -> UnsafeMutableRawPointer {
            let block = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
            blocks.append(block)
            return block
        }

        func bytes(_ data: Data) -> UnsafeRawPointer {
            let block = room(data.count)
            data.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: block, count: $0.count).copyMemory(from: $0)
            }
            return UnsafeRawPointer(block)
        }

        func text(_ text: String) -> UnsafePointer<CChar> {
            let pointer = bytes(Data(text.utf8 + [0]))
            return pointer.assumingMemoryBound(to: CChar.self)
        }

        func texts(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
            let block = room(texts.count * MemoryLayout<UnsafePointer<CChar>?>.stride)
            let list = block.bindMemory(to: UnsafePointer<CChar>?.self, capacity: texts.count)
            for (index, text) in texts.enumerated() { list[index] = self.text(text) }
            return UnsafePointer(list)
        }
    }
}
