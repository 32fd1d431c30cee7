/// One small program on the framework's public interface.
///
/// It prints what it does to its environment's output, and nothing that differs from run to run
/// on a fresh store, except the times that a test of speed measures.
protocol Example: Sendable {
    /// What the program is called on the command line.
    var name: String { get }
    /// One line about it, for the list.
    var summary: String { get }
    /// How much it works on if the command line does not say; `nil` if it has one size only.
    var defaultSize: Int? { get }

    func run(in environment: ExampleEnvironment) throws
}

extension Example {
    var defaultSize: Int? { nil }
}
