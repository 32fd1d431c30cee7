import DocketCore
import ObjectGraph

/// Prints items: a line each for people, JSON for scripts.
struct ItemOutput {
    private let library: Library
    private let json: Bool

    init(_ library: Library, json: Bool) {
        self.library = library
        self.json = json
    }

    func print(_ ids: [ManagedObjectID]) throws {
        if json { return try printJSON(ids) }
        let lines = ItemLines(library.clock())
        let width = try library.widestNumber()
        try library.forEachSlice(of: ids) { items in
            for item in items { try Console.print(lines.line(item, numberWidth: width)) }
        }
    }

    private func printJSON(_ ids: [ManagedObjectID]) throws {
        var writer = DocketJSONWriter()
        try library.forEachSlice(of: ids) { items in
            for item in items { writer.write(library.record(of: item)) }
            try Console.write(writer.drain())
        }
        writer.finish()
        try Console.write(writer.drain())
    }
}
