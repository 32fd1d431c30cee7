import Foundation
import PackagePlugin

/// Generates the classes and the model of each `.xcdatamodeld` of a target when it is built.
///
/// Each model becomes one file, which is made again when the model has changed. A library has public
/// classes; in other targets they are internal.
@main
struct GenerateModel: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "modelgen")
        return try models(in: target.directoryURL).map { model in
            let name = model.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)Model.swift")
            return .buildCommand(
                displayName: "Generating the classes of \(model.lastPathComponent)",
                executable: tool.url,
                arguments: [
                    "generate", model.path, "--single-file", output.path,
                    "--access", target.kind == .generic ? "public" : "internal",
                ],
                inputFiles: [model] + (try files(in: model)),
                outputFiles: [output]
            )
        }
    }

    private func models(in folder: URL) -> [URL] {
        let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let urls = entries?.compactMap { $0 as? URL } ?? []
        return urls.filter { $0.pathExtension == "xcdatamodeld" }.sorted { $0.path < $1.path }
    }

    /// The files of a model; the folder itself is an input too, else the build warns of it.
    private func files(in model: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: model.path)
            .map { model.appending(path: $0) }
            .filter { !$0.hasDirectoryPath && $0.pathExtension != "xcdatamodel" }
    }
}
