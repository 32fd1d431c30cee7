import FoundationEssentials
import ObjectModel

extension ModelPackage {
    /// Reads an `.xcdatamodeld` or `.xcdatamodel` folder, or a `contents` file.
    ///
    /// Contradictions inside a model become issues of its version; see ``ModelFile/check()``.
    ///
    /// - Throws: `ObjectGraphError` with the file, and where possible the line, if there is no
    ///   model, if it is in the old binary form or compiled, or if it is not well-formed XML.
    /// - Complexity: O(size of the files).
    public init(contentsOf path: String) throws {
        let url = URL(fileURLWithPath: path)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelPackage.failure(path, "the file does not exist.", "Check the path.")
        }
        let name = url.deletingPathExtension().lastPathComponent
        switch url.pathExtension {
        case "xcdatamodeld": try self.init(package: url)
        case "mom", "momd", "omo":
            throw ModelPackage.failure(
                path,
                "this is a compiled model.",
                "Give the .xcdatamodeld that it was compiled from."
            )
        case "xcdatamodel" where isFolder:
            self.init(name, try ModelPackage.readVersion(url))
        default:
            if isFolder {
                throw ModelPackage.failure(
                    path,
                    "this folder is not a data model.",
                    "Give an .xcdatamodeld or .xcdatamodel folder, or a contents file."
                )
            }
            self.init(name, try ModelPackage.readContents(url))
        }
    }

    private init(package url: URL) throws {
        var versions: [String: ModelFile] = [:]
        for folder in try ModelPackage.list(url) where folder.pathExtension == "xcdatamodel" {
            let name = folder.deletingPathExtension().lastPathComponent
            versions[name] = try ModelPackage.readVersion(folder)
        }
        guard let first = versions.keys.sorted().first else {
            throw ModelPackage.failure(
                url.path,
                "the package holds no version.",
                "Add an .xcdatamodel folder to it."
            )
        }
        let packageName = url.deletingPathExtension().lastPathComponent
        let pointer = url.appending(path: ".xccurrentversion")
        let named = try ModelPackage.readCurrentName(pointer)
        var issues: [ModelIssue] = []
        let current: String
        if let named, versions[named] != nil {
            current = named
        } else {
            current = versions[packageName] == nil ? first : packageName
            if let named {
                issues.append(
                    ModelIssue(
                        isError: true,
                        place: pointer.path,
                        message: "It names the version \"\(named)\", which does not exist.",
                        recovery: "Name one of: \(versions.keys.sorted().joined(separator: ", "))."
                    )
                )
            } else if versions.count > 1 {
                issues.append(
                    ModelIssue(
                        isError: false,
                        place: url.path,
                        message: "No file names the current version, so \"\(current)\" is used.",
                        recovery: "Set the current version."
                    )
                )
            }
        }
        self.init(versions: versions, currentName: current, issues: issues)
    }

    private static func readVersion(_ folder: URL) throws -> ModelFile {
        let contents = folder.appending(path: "contents")
        if FileManager.default.fileExists(atPath: contents.path) {
            return try readContents(contents)
        }
        let old = folder.appending(path: "elements")
        if FileManager.default.fileExists(atPath: old.path) {
            throw failure(
                old.path,
                "this model is in the binary form used before Xcode 4.3, which is not read.",
                "Open it in Xcode and save it with a newer minimum tools version."
            )
        }
        throw failure(folder.path, "the version holds no contents file.", "Restore it.")
    }

    private static func readContents(_ url: URL) throws -> ModelFile {
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw failure(url.path, "the file cannot be read.", "Check its permissions.")
        }
        if data.starts(with: Data("bplist".utf8)) {
            throw failure(
                url.path,
                "this model is in a binary form, which is not read.",
                "Open it in Xcode and save it with a newer minimum tools version."
            )
        }
        return try ModelReader.read(data, file: url.path)
    }

    private static func readCurrentName(_ url: URL) throws -> String? {
        guard let data = FileManager.default.contents(atPath: url.path) else { return nil }
        let name: String?
        do {
            name = try PropertyListText.value("_XCCurrentVersionName", in: data)
        } catch {
            throw failure(
                url.path,
                "the file is not a property list.",
                "Restore the file, or remove it if there is only one version."
            )
        }
        // The editor leaves the list empty while there is only one version.
        return name.map {
            URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
        }
    }

    private static func list(_ folder: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .map { folder.appending(path: $0) }
        } catch {
            throw failure(folder.path, "the folder cannot be read.", "Check its permissions.")
        }
    }

    private static func failure(
        _ path: String,
        _ message: String,
        _ recovery: String
    )
        -> ObjectGraphError
    {
        ObjectGraphError(.damagedFile, "\(path): \(message)", recovery: recovery)
    }
}

/// The file `.xccurrentversion` of a package.
struct VersionPointer: Encodable {
    /// The name of the current version's folder; `nil` while there is only one version.
    var currentName: String?

    private enum CodingKeys: String, CodingKey {
        case currentName = "_XCCurrentVersionName"
    }
}
