import ArgumentParser
import ObjectModelFile

struct ModelListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Draw a model's entities, properties and relationships as text."
    )

    @OptionGroup var source: ModelArgument

    func run() throws {
        let (package, name, file) = try source.read()
        for issue in file.issues { printError("\(issue)") }
        if package.versions.count > 1 {
            let names = package.versionNames.map {
                $0 == package.currentName ? "\($0) (current)" : $0
            }
            print("version \(name) of: \(names.joined(separator: ", "))\n")
        }
        print(ModelOutline(file.model).text)
    }
}
