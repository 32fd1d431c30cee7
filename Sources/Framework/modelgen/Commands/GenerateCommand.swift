public import ArgumentParser
import ObjectModel
public import ObjectModelFile

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write typed Swift classes for a model's entities.",
        discussion: """
            Each entity with a class gets a file, Task.swift, which is made once and then is yours; \
            the properties of the model in it are written again each time. <Name>Model.swift \
            builds the model in code. The output depends on the model alone.
            """
    )

    @OptionGroup var source: ModelArgument
    @Option(help: "The folder for generated files.", completion: .directory) var output: String?
    @Option(
        help: "One file for everything, the classes too: for the plugin of builds.",
        completion: .file()
    )
    var singleFile: String?
    @Option(
        help: "The folder for your own files. (default: the output folder)",
        completion: .directory
    )
    var human: String?
    @Option(help: "The access level of the classes: public, package or internal.")
    var access = ModelGenerator.Access.public
    @Option(help: "A module to import; may be given several times. (default: ObjectGraph)")
    var module: [String] = []
    @Option(help: "The name of the model's type. (default: the model's name and \"Model\")")
    var name: String?
    @Flag(help: "Write only the model: an older version, for migrations.") var omitClasses = false
    @Flag(help: "Write nothing; fail if a file would be written or removed.") var check = false

    func validate() throws {
        if (output == nil) == (singleFile == nil) {
            throw ValidationError("Name a folder with --output, or a file with --single-file.")
        }
        if singleFile != nil, human != nil || check {
            throw ValidationError("--single-file goes without --human and --check.")
        }
    }

    func run() throws {
        let (package, _, file) = try source.read()
        for issue in package.issues + file.check() { printError("\(issue)") }
        guard !file.issues.contains(where: \.isError) else { throw ExitCode.failure }
        var generator = try ModelGenerator(file.model, typeName: name ?? source.name + "Model")
        generator.access = access
        generator.omitsClasses = omitClasses
        if !module.isEmpty { generator.modules = module }
        if let singleFile {
            if try generator.write(toFile: singleFile) { print("wrote \(singleFile)") }
            return
        }
        let output = output ?? "."
        if check {
            let stale = try generator.stalePaths(in: output, human: human ?? output)
            for path in stale { printError("\(path): out of date.") }
            if !stale.isEmpty {
                printError("Run modelgen generate again and commit the files.")
                throw ExitCode.failure
            }
            return
        }
        let outcome = try generator.write(to: output, human: human ?? output)
        for path in outcome.written { print("wrote \(path)") }
        for path in outcome.removed { print("removed \(path)") }
        let unchanged = outcome.unchanged.count
        print(unchanged == 1 ? "1 file unchanged" : "\(unchanged) files unchanged")
    }
}

extension ModelGenerator.Access: ExpressibleByArgument {}
