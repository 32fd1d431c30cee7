import ArgumentParser
import Foundation
import ObjectModel
import ObjectModelFile

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an empty model: versioned (.xcdatamodeld) or not (.xcdatamodel)."
    )

    @Argument(help: "The path of the new model.", completion: .directory) var model: String

    func run() throws {
        let url = URL(fileURLWithPath: model)
        guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
            throw ValidationError("The name of a model ends with .xcdatamodeld or .xcdatamodel.")
        }
        if FileManager.default.fileExists(atPath: url.path) {
            throw ValidationError("\(model) exists already.")
        }
        let name = url.deletingPathExtension().lastPathComponent
        try ModelPackage(name, ModelFile(ManagedObjectModel())).save(to: model)
    }
}

struct AddVersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-version",
        abstract: "Add a version to a versioned model, as a copy of the current one."
    )

    @OptionGroup var source: ModelArgument
    @Argument(help: "The name of the new version.") var name: String
    @Flag(help: "Make it the current one.") var current = false

    func run() throws {
        var package = try ModelPackage(contentsOf: source.model)
        try package.addVersion(name, basedOn: source.version)
        if current { try package.setCurrent(name) }
        try package.save(to: source.model)
    }
}

struct SetCurrentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-current",
        abstract: "Choose the current version of a model."
    )

    @Argument(help: "The .xcdatamodeld folder.", completion: .directory) var model: String
    @Argument(help: "The name of the version.") var name: String

    func run() throws {
        var package = try ModelPackage(contentsOf: model)
        try package.setCurrent(name)
        try package.save(to: model)
    }
}

struct MakeVersionedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-versioned",
        abstract: "Turn an .xcdatamodel into an .xcdatamodeld with it as the only version.",
        discussion:
            "The old folder is removed after the new one was written, unless --keep is given."
    )

    @Argument(help: "The .xcdatamodel folder.", completion: .directory) var model: String
    @Flag(help: "Keep the old folder.") var keep = false

    func run() throws {
        let url = URL(fileURLWithPath: model)
        guard url.pathExtension == "xcdatamodel" else {
            throw ValidationError("\(model) is not an .xcdatamodel folder.")
        }
        let target = url.deletingPathExtension().appendingPathExtension("xcdatamodeld")
        if FileManager.default.fileExists(atPath: target.path) {
            throw ValidationError("\(target.path) exists already.")
        }
        try ModelPackage(contentsOf: model).save(to: target.path)
        if !keep { try FileManager.default.removeItem(at: url) }
    }
}

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the current versions of models, or all of a folder, into one."
    )

    @Argument(help: "The models, or folders with models in them.", completion: .directory)
    var models: [String]
    @Option(help: "The path of the merged model.", completion: .directory) var output: String

    func run() throws {
        let parts = try models.map { path in
            ["xcdatamodeld", "xcdatamodel"].contains(URL(fileURLWithPath: path).pathExtension)
                ? try ModelPackage(contentsOf: path).current.model
                : try ModelPackage.mergedModel(inFolder: path)
        }
        let name = URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent
        try ModelPackage(name, ModelFile(try ManagedObjectModel.merging(parts))).save(to: output)
    }
}
