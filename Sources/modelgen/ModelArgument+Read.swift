import ArgumentParser
import Foundation
import ObjectModelFile

extension ModelArgument {
    /// Reads the version asked for.
    ///
    /// - Throws: an error for people if there is no such model or version.
    func read() throws -> (package: ModelPackage, name: String, file: ModelFile) {
        let package = try ModelPackage(contentsOf: model)
        let name = version ?? package.currentName
        guard let file = package.versions[name] else {
            let names = package.versionNames.joined(separator: ", ")
            throw ValidationError("There is no version \"\(name)\"; there are: \(names).")
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
