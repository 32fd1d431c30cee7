import ArgumentParser

/// The model that a command works on.
struct ModelArgument: ParsableArguments {
    @Argument(
        help: "The model: an .xcdatamodeld or .xcdatamodel folder, or a contents file.",
        completion: .file()
    )
    var model: String
    @Option(help: "The version to use, by name. (default: the current one)") var version: String?
}
