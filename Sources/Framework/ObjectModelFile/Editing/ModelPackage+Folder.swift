import FoundationEssentials
public import ObjectModel

extension ModelPackage {
    /// The paths of all models in a folder and its subfolders, in alphabetical order.
    ///
    /// Versions within an `.xcdatamodeld` are parts of it and are not listed.
    ///
    /// - Throws: `ObjectGraphError` if the folder cannot be read.
    public static func models(inFolder path: String) throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw ObjectGraphError(
                .damagedFile,
                "\(path): the folder cannot be read.",
                recovery: "Check the path and its permissions."
            )
        }
        let root = URL(fileURLWithPath: path)
        var paths: [String] = []
        collect(names.map { root.appending(path: $0) }, into: &paths)
        return paths.sorted()
    }

    /// Adds the models among some files, and those in folders among them; links are not followed.
    private static func collect(_ urls: [URL], into paths: inout [String]) {
        let manager = FileManager.default
        for url in urls where !url.lastPathComponent.hasPrefix(".") {
            if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) {
                paths.append(url.path)
            } else if (try? manager.destinationOfSymbolicLink(atPath: url.path)) == nil,
                let names = try? manager.contentsOfDirectory(atPath: url.path)
            {
                collect(names.map { url.appending(path: $0) }, into: &paths)
            }
        }
    }

    /// One model of the current versions of all models in a folder; see
    /// `ManagedObjectModel.merging(_:)`.
    ///
    /// - Throws: `ObjectGraphError` if the folder has no model, if one cannot be read, or if two
    ///   declare the same name differently.
    public static func mergedModel(inFolder path: String) throws -> ManagedObjectModel {
        let paths = try models(inFolder: path)
        if paths.isEmpty {
            throw ObjectGraphError(
                .damagedFile,
                "\(path): this folder contains no model.",
                recovery: "Give a folder with .xcdatamodeld or .xcdatamodel in it."
            )
        }
        return try ManagedObjectModel.merging(
            paths.map { try ModelPackage(contentsOf: $0).current.model }
        )
    }
}

extension ModelPackage {
    /// Writes the package back to its place: an `.xcdatamodeld` folder with all versions, or an
    /// `.xcdatamodel` folder or `contents` file with its single version.
    ///
    /// - Throws: `ObjectGraphError` if the format cannot express a model, if a file cannot be
    ///   written, or if several versions do not fit into one file.
    public func save(to path: String) throws {
        let url = URL(fileURLWithPath: path)
        if url.pathExtension == "xcdatamodeld" { return try write(to: path) }
        guard versions.count == 1 else {
            throw ObjectGraphError(
                .unsupported,
                "\(path) can hold one version, not \(versions.count).",
                recovery: "Turn it into a versioned model first: modelgen make-versioned."
            )
        }
        let isFolder = url.pathExtension == "xcdatamodel"
        let text = try current.contents()
        do {
            if isFolder {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
            let file = isFolder ? url.appending(path: "contents") : url
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw ObjectGraphError(
                .cannotWrite,
                "\(path): the model cannot be written.",
                recovery: "Check the folder's permissions and the space left.",
                underlying: [error]
            )
        }
    }
}
