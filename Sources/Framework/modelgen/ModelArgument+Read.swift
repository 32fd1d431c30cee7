import ArgumentParser
import Foundation
import ObjectModelFile

extension ModelArgument {
    /// Reads the selected version.
    ///
    /// - Throws: an error for people if the model or the version does not exist.
    func read() throws -> (package: ModelPackage, name: String, file: ModelFile) {
        let package = try ModelPackage(contentsOf: model)
        let name = version ?? package.currentName
        guard let file = package.versions[name] else {
            let names = package.versionNames.joined(separator: ", ")
            throw ValidationError("\"\(name)\" is not a version; the versions are: \(names).")
        }
        return (package, name, file)
    }

    /// The name of the model, without folder and extension.
    var name: String {
        URL(fileURLWithPath: model).deletingPathExtension().lastPathComponent
    }
}

/// Prints a line on the error stream.
func printError(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
