import CVersion
import DocketCore
import FoundationEssentials
import Glibc

/// `docket-team`: the same program with a dynamic libc.
///
/// `docket` is one static file, which cannot load libpq; for a PostgreSQL database it becomes this one.
enum TeamProgram {
    /// Goes on as `docket-team` if the store is a database and this program is static.
    ///
    /// It is in the same folder, or where packages put it. Without it the store's own error says what
    /// is missing.
    static func takeOver() {
        guard cversion_is_static(), isWanted(CommandLine.arguments.dropFirst()),
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return }
        let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        for path in ["\(folder)/docket-team", "\(folder)/../libexec/docket/docket-team"] {
            var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
            words.append(nil)
            // Returns if it is not there.
            execv(path, words)
            for word in words { free(word) }
        }
    }

    private static func isWanted(_ words: ArraySlice<String>) -> Bool {
        var isStore = false
        var isNamed = false
        for word in words {
            if isStore || word.hasPrefix("--store=") {
                isNamed = true
                if LibraryPlace.isAddress(String(word.dropFirst(isStore ? 0 : 8))) { return true }
            }
            isStore = word == "--store"
        }
        // `docket store copy FROM TO`.
        if words.contains("copy"), words.contains(where: LibraryPlace.isAddress) { return true }
        return !isNamed
            && getenv("DOCKET_STORE").map { LibraryPlace.isAddress(String(cString: $0)) } ?? false
    }
}
