import ArgumentParser
import ObjectModel
import ObjectModelFile

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "List the errors and risks of a model, with their places and what to do.",
        discussion: "Exits with 1 if there is an error; warnings alone exit with 0."
    )

    @OptionGroup var source: ModelArgument
    @Flag(help: "Count warnings as errors.") var strict = false

    func run() throws {
        let (package, name, file) = try source.read()
        let issues = package.issues + file.check()
        for issue in issues { print("\(issue.isError ? "error" : "warning"): \(issue)") }
        let errors = issues.count(where: \.isError)
        print(
            "\(name): \(count(file.model.entities.count, "entity", "entities")),"
                + " \(count(errors, "error", "errors")),"
                + " \(count(issues.count - errors, "warning", "warnings"))"
        )
        if errors > 0 || (strict && !issues.isEmpty) { throw ExitCode.failure }
    }

    private func count(_ number: Int, _ one: String, _ several: String) -> String {
        "\(number) \(number == 1 ? one : several)"
    }
}
