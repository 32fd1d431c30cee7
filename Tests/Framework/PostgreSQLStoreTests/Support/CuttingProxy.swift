import Foundation
import Synchronization

/// A socket between a store and its server, which cuts the connection at a chosen moment.
///
/// A pipeline ends with one Sync message; these are counted. It also makes commands unknown to the server.
final class CuttingProxy: Sendable {
    enum Moment: CaseIterable {
        /// The server never gets the pipeline.
        case beforeServer
        /// The server has run it, and its answer is lost.
        case afterServer
    }

    let folder: String
    private let server: String
    private let listener: Int32
    /// Commands of six letters that the server does not know.
    private let unknown: [String]
    private let order = Mutex<(count: Int, moment: Moment)?>(nil)
    private let cuts = Mutex(0)

    /// How many connections were cut.
    var cutCount: Int { cuts.withLock { $0 } }

    init(to server: String, in given: String? = nil, without unknown: [String] = []) throws {
        self.server = server
        self.unknown = unknown
        folder =
            given
            ?? FileManager.default.temporaryDirectory
            .appending(path: "og-proxy-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = folder + "/.s.PGSQL.5432"
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0
        else { throw POSIXError(.EADDRNOTAVAIL) }
        Thread.detachNewThread { [listener, self] in
            while true {
                let client = accept(listener, nil, nil)
                if client < 0 { return }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Cuts the connection at the Sync with a number, counted from now on.
    func cut(at count: Int, _ moment: Moment) { order.withLock { $0 = (count, moment) } }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(upstream)
        }
        guard Self.withAddress(server, { connect(upstream, $0, $1) }) == 0 else { return }
        var messages = MessageReader()
        var answersLost = false
        while true {
            var files = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&files, 2, -1) > 0 else { return }
            if files[1].revents != 0 {
                guard let bytes = Self.read(upstream) else { return }
                if answersLost { return }
                guard Self.write(bytes, to: client) else { return }
            }
            if files[0].revents != 0 {
                guard var bytes = Self.read(client) else { return }
                for command in unknown {
                    bytes.replace(Array("\(command) ".utf8), with: Array("NOSUCH ".utf8))
                }
                let moment = take(messages.syncs(in: bytes))
                if moment == .beforeServer { return }
                answersLost = answersLost || moment == .afterServer
                guard Self.write(bytes, to: upstream) else { return }
            }
        }
    }

    /// Counts Sync messages; what to do if the chosen one is among them.
    private func take(_ syncs: Int) -> Moment? {
        let moment = order.withLock { order -> Moment? in
            guard let (count, moment) = order, syncs > 0 else { return nil }
            if count > syncs {
                order = (count - syncs, moment)
                return nil
            }
            order = nil
            return moment
        }
        if moment != nil { cuts.withLock { $0 += 1 } }
        return moment
    }

    /// Finds the messages in a stream: a type and a length, but for the first one, which has no type.
    private struct MessageReader {
        private var skip = 0
        private var header: [UInt8] = []
        private var isFirst = true

        mutating func syncs(in bytes: [UInt8]) -> Int {
            var count = 0
            var index = 0
            while index < bytes.count {
                if skip > 0 {
                    let step = min(skip, bytes.count - index)
                    skip -= step
                    index += step
                    continue
                }
                header.append(bytes[index])
                index += 1
                let size = isFirst ? 4 : 5
                if header.count < size { continue }
                let length = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
                if !isFirst, header[0] == UInt8(ascii: "S") { count += 1 }
                skip = length - 4
                isFirst = false
                header = []
            }
            return count
        }
    }

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func read(_ file: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(file, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }
}
