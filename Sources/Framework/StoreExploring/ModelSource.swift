import CompiledModel
import FoundationEssentials
public import ObjectModel
import ObjectModelFile

/// Reads a model that somebody names: in the editor's form, or compiled.
public enum ModelSource {
    /// The versions of a model, the current one first.
    ///
    /// - Parameter path: an `.xcdatamodeld` or `.xcdatamodel` folder, a `contents` file, a `.momd`
    ///   folder or a `.mom` file.
    /// - Returns: one model for each version.
    /// - Throws: `ObjectGraphError` with a sentence that names the file.
    public static func models(at path: String) throws -> [ManagedObjectModel] {
        let url = URL(fileURLWithPath: path)
        switch url.pathExtension {
        case "mom", "omo": return [try compiled(url)]
        case "momd": return try versions(inFolder: url)
        default:
            let package = try ModelPackage(contentsOf: path)
            let rest = package.versionNames.reversed().filter { $0 != package.currentName }
            return [package.current.model] + rest.compactMap { package.versions[$0]?.model }
        }
    }

    private static func compiled(_ url: URL) throws -> ManagedObjectModel {
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw ObjectGraphError(
                .cannotOpen,
                "The model \"\(url.lastPathComponent)\" cannot be read.",
                recovery: "Check the path and its permissions."
            )
        }
        do {
            return try CompiledModel(data).model()
        } catch let problem as CompiledModelProblem {
            throw ObjectGraphError(
                .damagedFile,
                "The model \"\(url.lastPathComponent)\" cannot be used: \(problem).",
                recovery: "Compile it again, or give the model that it was compiled from.",
                underlying: [problem]
            )
        }
    }

    private static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"

    private static func versions(inFolder url: URL) throws -> [ManagedObjectModel] {
        let manager = FileManager.default
        let names = ((try? manager.contentsOfDirectory(atPath: url.path)) ?? [])
            .filter { $0.hasSuffix(".mom") }.sorted()
        guard !names.isEmpty else {
            throw ObjectGraphError(
                .cannotOpen,
                "The folder \"\(url.lastPathComponent)\" has no compiled model.",
                recovery: "Check the path and its permissions."
            )
        }
        let current = manager.contents(atPath: url.appending(path: "VersionInfo.plist").path)
            .flatMap { try? PropertyListText.value(currentVersionKey, in: $0) }
            .map { $0 + ".mom" }
        let order = names.filter { $0 == current } + names.filter { $0 != current }
        return try order.map { try compiled(url.appending(path: $0)) }
    }
}
