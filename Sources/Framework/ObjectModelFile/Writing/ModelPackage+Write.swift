import FoundationEssentials
import ObjectModel

extension ModelFile {
    /// The text of the `contents` file, as Apple's editor reads it.
    ///
    /// - Throws: `ObjectGraphError` if the model has parts that the format cannot express, such as
    ///   a validation rule with a predicate.
    /// - Complexity: O(size of the model).
    public func contents() throws -> String { try ModelWriter.text(of: self) }
}

extension ModelPackage {
    /// Writes the package as an `.xcdatamodeld` folder.
    ///
    /// All texts are created before the first file is written. A version that is on disk but no
    /// longer in the package is removed.
    ///
    /// - Throws: `ObjectGraphError` if a model cannot be expressed or a file cannot be written.
    public func write(to path: String) throws {
        let texts = try versions.mapValues { try $0.contents() }
        let url = URL(fileURLWithPath: path)
        let manager = FileManager.default
        do {
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                let folder = url.appending(path: name + ".xcdatamodel")
                try manager.createDirectory(at: folder, withIntermediateDirectories: true)
                let file = folder.appending(path: "contents")
                try Data(text.utf8).write(to: file, options: .atomic)
            }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .xml
            let pointer = try encoder.encode(
                VersionPointer(currentName: currentName + ".xcdatamodel")
            )
            try pointer.write(to: url.appending(path: ".xccurrentversion"), options: .atomic)
            for found in try manager.contentsOfDirectory(atPath: url.path)
            where found.hasSuffix(".xcdatamodel") {
                let folder = url.appending(path: found)
                let name = folder.deletingPathExtension().lastPathComponent
                if texts[name] == nil { try manager.removeItem(at: folder) }
            }
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
