import ArgumentParser
import ObjectGraph

/// The form in which an example keeps its objects.
enum StoreForm: String, CaseIterable, ExpressibleByArgument {
    case sqlite, memory, binary, xml, text, own

    var type: StoreType {
        switch self {
        case .sqlite: .sqlite
        case .memory: .inMemory
        case .binary: .binary
        case .xml: .xml
        case .text: .text
        case .own: OwnFile.storeType
        }
    }

    /// Whether the store still exists when the program ends.
    var isFile: Bool { self != .memory }
}
