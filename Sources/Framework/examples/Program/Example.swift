/// One small program on the framework's public interface.
///
/// It prints to its environment's output. On a fresh store the output is the same at every run,
/// except the measured times.
protocol Example: Sendable {
    /// The name of the program on the command line.
    var name: String { get }
    /// One line about it, for the list.
    var summary: String { get }
    /// Its size if the command line has none; `nil` if it has only one size.
    var defaultSize: Int? { get }

    func run(in environment: ExampleEnvironment) throws
}

extension Example {
    var defaultSize: Int? { nil }
}
