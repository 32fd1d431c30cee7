import CompiledModel
import FoundationEssentials
import ObjectGraph
import ObjectModel
import ObjectModelFile

/// Models in all their forms, and predicates.
extension ParserEntry {
    static let models = [
        ParserEntry("model-file") { bytes in
            let file = try ModelFile(contents: Data(bytes), name: "contents")
            _ = file.check()
            let text = try file.contents()
            let again = try ModelFile(contents: Data(text.utf8), name: "contents")
            try keeps(again.contents() == text, "a model that is written and read is another one")
            try checkArchive(of: file.model)
        },
        ParserEntry("compiled-model") { bytes in
            try checkArchive(of: CompiledModel(Data(bytes)).model())
        },
        ParserEntry("model-archive") { bytes in
            let data = Data(bytes)
            _ = try? ModelArchive(data: data).storedModel()
            try checkArchive(of: ModelArchive(data: data).model())
        },
        ParserEntry("mapping-model") { bytes in
            let mapping = try MappingModel(data: Data(bytes))
            let data = try mapping.data()
            let again = try MappingModel(data: data)
            try keeps(again.data() == data, "a mapping that is written and read is another one")
        },
        ParserEntry("predicate") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let arguments: [GraphValue] = [.int(1), .string("name"), .array([.int(2)]), .null]
            if let predicate = try? FetchPredicate(format: text, argumentArray: arguments) {
                try check(predicate)
            }
            guard
                let expression = try? FetchExpression(format: text, argumentArray: arguments),
                !text.contains("%")
            else { return }
            let printed = expression.format
            let again = try read(printed) { try FetchExpression(format: $0, argumentArray: []) }
            try keeps(again.format == printed, "\(printed) is printed as \(again.format)")
        },
    ]

    /// An archive of a sound model must give the same model.
    private static func checkArchive(of model: ManagedObjectModel) throws {
        try model.freeze()
        let archive = ModelArchive(model)
        if archive.omissions.isEmpty {
            let again = try read("the archive of a model") { _ in try archive.model() }
            try keeps(
                ModelArchive(again).data == archive.data,
                "the archive of a model gives another model"
            )
        }
    }

    private static func check(_ predicate: FetchPredicate) throws {
        let printed = predicate.format
        let again = try read(printed) { try FetchPredicate(format: $0, argumentArray: []) }
        try keeps(again.format == printed, "\(printed) is printed as \(again.format)")
        let object: GraphValue = .dictionary([
            "name": .string("Zoë"), "number": .int(.max), "price": .double(0.5),
            "list": .array([.int(1), .null, .string("a")]), "nothing": .null,
        ])
        // A regular expression may take as long as its author wants.
        if !printed.contains("MATCHES") { _ = try? predicate.evaluate(with: object) }
    }
}
