public import DocketFormats
import FoundationEssentials
import Glibc
import Phrases

/// The user's configuration file, which is changed as a whole: beside its place first, then moved
/// there.
///
/// Programs that change it wait for each other by a lock of its folder, so no change is lost. A link
/// stays a link; the file at its end is replaced, with its permissions.
public struct SettingsFile: Sendable {
    public let path: String
    /// The name for messages.
    public var name: String { URL(filePath: path).lastPathComponent }

    public init(_ path: String) { self.path = path }

    /// The file of an environment: below `XDG_CONFIG_HOME`, else below `~/.config`.
    public init(environment: [String: String]) {
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(environment["HOME"] ?? "")/.config"
        self.init("\(folder)/docket/config.toml")
    }

    /// The text of the file; empty if there is none.
    ///
    /// - Throws: ``InputError`` for what is not a text file of a usual size.
    public func text() throws(InputError) -> String {
        let data: Data
        do throws(Unreadable) {
            data = try self.data()
        } catch {
            throw InputError(.malformed, "\(path) \(error.reason).")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw InputError(.malformed, "\(path) is not text in UTF-8; fix it first.")
        }
        return text
    }

    /// Why there is no text; the end of a sentence.
    fileprivate struct Unreadable: Error {
        let reason: String
    }

    /// The bytes of the file; none if there is no file.
    fileprivate func data() throws(Unreadable) -> Data {
        let file: PlainFile
        do throws(PlainFile.Problem) { file = try PlainFile(path) } catch {
            if error.isMissing { return Data() }
            throw Unreadable(reason: error.reason)
        }
        if file.size > Settings.longestFile {
            throw Unreadable(reason: localized("has more than a megabyte"))
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw Unreadable(reason: localized("cannot be read"))
        }
        return data
    }

    /// Changes some settings in the file as it is now.
    ///
    /// - Returns: the text before and after the change.
    /// - Throws: ``InputError`` if the file cannot be read or written; it is as it was then.
    @discardableResult
    public func change(
        _ changes: [SettingChange]
    ) throws(InputError) -> (before: String, after: String) {
        try replace { text throws(InputError) in
            try ConfigFile.text(text, changing: changes, name: name)
        }
    }

    /// Replaces the whole text.
    ///
    /// - Throws: ``InputError`` if the file cannot be read or written.
    public func replace(by text: String) throws(InputError) {
        try replace { _ throws(InputError) in text }
    }

    /// Replaces the text by another one that is made of it, while no other program does.
    @discardableResult
    func replace(
        _ make: (String) throws(InputError) -> String
    ) throws(InputError) -> (before: String, after: String) {
        let target = target
        let folder = URL(filePath: target).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw InputError(.malformed, "The folder \(folder.path) cannot be made for \(name).")
        }
        let lock = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
        let before = try text()
        let after = try make(before)
        if after != before { try write(after, to: target) }
        return (before, after)
    }

    /// The file at the end of links.
    private var target: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private func write(_ text: String, to target: String) throws(InputError) {
        var status = stat()
        let exists = stat(target, &status) == 0
        // A rename would replace a file that nobody may write.
        if exists, status.st_mode & 0o222 == 0 || access(target, W_OK) != 0 {
            throw InputError(.malformed, "\(path) may only be read; nothing was changed.")
        }
        let temporary = "\(target).part-\(getpid())"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw failure(errno) }
        var code: Int32 = 0
        if exists, fchmod(file, status.st_mode & 0o7777) != 0 { code = errno }
        var text = text
        text.withUTF8 { bytes in
            var bytes = UnsafeRawBufferPointer(bytes)
            while code == 0, !bytes.isEmpty {
                let count = Glibc.write(file, bytes.baseAddress, bytes.count)
                if count > 0 {
                    bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
                } else if errno != EINTR {
                    code = errno
                }
            }
        }
        if code == 0, fsync(file) != 0 { code = errno }
        close(file)
        if code == 0, rename(temporary, target) != 0 { code = errno }
        if code == 0 { return }
        unlink(temporary)
        throw failure(code)
    }

    private func failure(_ code: Int32) -> InputError {
        let reason = String(cString: strerror(code))
        return InputError(.malformed, "\(path) cannot be written: \(reason). Nothing was changed.")
    }
}

extension Settings {
    /// The settings of a file and of the environment.
    ///
    /// What is wrong in the file is in ``problems``.
    public init(_ file: SettingsFile, environment: [String: String]) {
        self.init()
        noColor = !(environment["NO_COLOR"] ?? "").isEmpty
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        // The C locale guarantees only ASCII.
        isASCIIForced = environment["DOCKET_ASCII"] != nil || locale == "C" || locale == "POSIX"
        read(file)
    }

    /// Reads a file; without one the defaults count.
    private mutating func read(_ file: SettingsFile) {
        do throws(SettingsFile.Unreadable) {
            read(String(decoding: try file.data(), as: UTF8.self), name: file.name)
        } catch {
            refuse(file.name, localized("is not read: it \(error.reason)."))
        }
    }
}
