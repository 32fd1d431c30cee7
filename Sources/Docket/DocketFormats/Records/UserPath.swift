import Glibc

/// Paths as users write them.
public enum UserPath {
    /// A path with `~/` as the user's folder.
    public static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }
}
