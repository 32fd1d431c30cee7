import DocketFormats
public import FoundationEssentials
import Glibc

/// Where a library is: a file, or a database on a server with files of its own on this computer.
public struct LibraryPlace: Sendable {
    /// The store's file, or its address.
    public let url: URL
    /// The path beside which drafts, the vault and other files of the library are.
    public let path: String

    /// Whether the store is in a database on a server.
    public var isOnServer: Bool { !url.isFileURL }

    /// What names the store in messages and as the option `--store`.
    public var text: String { isOnServer ? url.absoluteString : url.path }

    /// - Parameters:
    ///   - url: the store's file, or its address.
    ///   - environment: for the folder of what belongs to a store on a server.
    public init(
        _ url: URL,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.url = url
        if url.isFileURL {
            path = url.path
            return
        }
        let home = environment["HOME"] ?? ""
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var address = URLComponents(url: url, resolvingAgainstBaseURL: false)
        address?.password = nil
        address?.queryItems?.removeAll { $0.name.lowercased() == "password" }
        address?.scheme = nil
        let name = address?.string ?? url.absoluteString
        let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        // Two addresses may have the same words.
        let mark = String(ByteSource.fingerprint(Array(name.utf8)), radix: 16)
        let start = String(words.joined(separator: "-").prefix(80))
        path = "\(data ?? home + "/.local/share")/docket/servers/\(start)-\(mark)"
    }

    /// Whose changes those of this process are, on a server: the user of the address, or of
    /// PostgreSQL's environment, or of this computer; `nil` for a file, which has one owner.
    public func member(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        guard isOnServer else { return nil }
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let named = parts?.user ?? parts?.queryItems?.last { $0.name == "user" }?.value
        let known = [named, environment["PGUSER"]].compactMap { $0 }.first { !$0.isEmpty }
        if let known { return known }
        let user = environment["USER"] ?? environment["LOGNAME"] ?? "\(getuid())"
        return "\(user)@\(ProcessInfo.processInfo.hostName)"
    }

    /// Whether a text is the address of a store on a server.
    public static func isAddress(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains { text.lowercased().hasPrefix($0) }
    }
}
