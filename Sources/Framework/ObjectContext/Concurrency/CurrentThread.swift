import Dispatch
import Glibc
import Synchronization

/// The thread of the caller, as reports of misuse name it.
enum CurrentThread {
    /// Names of threads by number; a reused number gets a new name.
    private static let labels = Mutex<[UInt: String]>([:])

    /// The system's handle of it as a number; never 0.
    static var number: UInt { UInt(pthread_self()) }

    /// Whether this is the main thread, or serves the main queue, as the main actor does.
    static var isMain: Bool { DispatchQueue.getSpecific(key: mainMark) == true }

    /// A mark that only the main queue has.
    private static let mainMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// A name and the system's number, for messages.
    static var label: String { label(of: number) }

    /// The label of a thread that has called ``note()``, or of the caller.
    static func label(of number: UInt) -> String {
        if number == self.number { note() }
        return labels.withLock { $0[number] } ?? "an unknown thread"
    }

    /// Records the name of the thread, unless it is known.
    static func note() {
        let number = number
        if labels.withLock({ $0[number] != nil }) { return }
        // Linux returns "<process>/task/<thread>".
        let parts = link("/proc/thread-self").split(separator: "/")
        let isMain = parts.count == 3 && parts[0] == parts[2]
        let name = isMain ? "main" : "\"\(text("/proc/thread-self/comm"))\""
        let label = "\(name) (\(parts.last ?? "?"))"
        labels.withLock { $0[number] = label }
    }

    /// Names the thread, with as many whole characters as fit into the system's 15 bytes.
    static func setName(_ name: String) {
        var text = name
        while text.utf8.count > 15 { text.removeLast() }
        let file = open("/proc/thread-self/comm", O_WRONLY)
        if file >= 0 {
            _ = write(file, text, text.utf8.count)
            close(file)
        }
        let number = number
        labels.withLock { $0[number] = nil }
        note()
    }

    private static func link(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink(path, &buffer, buffer.count)
        return String(
            decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY)
        if file < 0 { return "" }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(file, &buffer, buffer.count)
        return String(
            decoding: buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") },
            as: UTF8.self
        )
    }
}
