import ArgumentParser
import ObjectModel
import ObjectModelFile

extension ModelArgument {
    /// Reads the selected version, changes it and writes the model back.
    ///
    /// Nothing is written if the change throws, or if the model then has an error that it did not
    /// have before.
    func edit(_ change: (inout ModelFile) throws -> Void) throws {
        var (package, name, file) = try read()
        let before = Set(file.check().filter(\.isError))
        try change(&file)
        let mistakes = file.check().filter { $0.isError && !before.contains($0) }
        if !mistakes.isEmpty {
            for mistake in mistakes { printError("error: \(mistake)") }
            throw ExitCode.failure
        }
        package.versions[name] = file
        try package.save(to: model)
    }
}

/// A property by its entity: `Task.title`.
struct PropertyArgument: ExpressibleByArgument {
    let entity: String
    let property: String

    init?(argument: String) {
        let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        entity = String(parts[0])
        property = String(parts[1])
    }
}
