import ArgumentParser
import ObjectGraph

/// The form in which an example keeps its objects.
enum StoreForm: String, CaseIterable, ExpressibleByArgument {
    case sqlite, memory, binary, xml, text

    /// The framework's store type; `nil` for a form that it does not have yet.
    var type: StoreType? {
        switch self {
        case .sqlite: .sqlite
        case .memory: .inMemory
        case .binary: nil
        case .xml: nil
        case .text: nil
        }
    }

    /// Whether the store still exists when the program ends.
    var isFile: Bool { self != .memory }

    static var available: [StoreForm] { allCases.filter { $0.type != nil } }
}
