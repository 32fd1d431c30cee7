import Glibc

/// Programs of the machine that a test needs.
///
/// A test that cannot run without one has the trait
/// `.enabled(if: InstalledProgram.has("sqlite3"), "sqlite3 is not installed")`.
package enum InstalledProgram {
    /// The folders that the programs under test have as their search path.
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// The path of a program; `nil` if it is not installed.
    package static func path(of name: String) -> String? {
        folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Whether a program is installed.
    package static func has(_ name: String) -> Bool { path(of: name) != nil }
}
