import FoundationEssentials
import ObjectGraph

/// Clothes from a supplier who writes sizes as text in one record and as a number in the next one.
///
/// With safe setting the model decides: a value that an attribute can hold is converted to the
/// attribute's type and set, other values are ignored, and a report lists both.
struct ClothingExample: Example {
    let name = "clothing"
    let summary = "JSON with inconsistent types, imported safely, with a report"

    private static let json = """
        [
          {"name": "Rain coat", "size": "L", "chest": 104, "price": "129.90", "inStock": "yes",
           "launched": "15.03.2012", "grade": "A"},
          {"name": "Shirt", "size": 42, "chest": "102", "price": 39.5, "inStock": true,
           "launched": "01.02.2012", "grade": "Best"},
          {"name": "Hat", "size": 58, "chest": null, "price": 24, "inStock": 1,
           "colour": "green"},
          {"name": "Socks", "size": "39-42", "chest": "wide", "price": "cheap", "inStock": "no",
           "launched": "31.02.2012"}
        ]
        """

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(ClothingModel.make(), ClothingModel.classes)
        let context = container.viewContext
        let dates = try DatePattern("dd.MM.yyyy")

        let records = try GraphValue(json: Data(Self.json.utf8)).elements ?? []
        for record in records {
            guard case .dictionary(let values) = record,
                let name = values["name"].flatMap({ String(value: $0) })
            else { continue }
            let garment =
                try Garment.find(by: \.name, name, in: context) ?? context.insert(Garment.self)
            let report = garment.setValuesSafely(values, ValueCoercion(dates: dates))
            output(garment.name)
            show("set", report.set, output)
            show("brought to its type", report.coerced, output)
            show("unknown, skipped", report.skipped, output)
            for refusal in report.refused { output("  refused: \(refusal.reason)") }
        }
        try context.save()

        output.heading("In the store")
        let garments = try Garment.all(in: context, sortedBy: \.name)
        output.rows(
            [["name", "size", "chest", "price", "in stock", "launched", "grade"]]
                + garments.map { garment in
                    [
                        garment.name, garment.size ?? "-",
                        garment.chest.map { "\($0)" } ?? "-",
                        garment.price.map { "\($0)" } ?? "-",
                        garment.inStock ? "yes" : "no",
                        garment.launched.map(dates.text(of:)) ?? "-",
                        garment.grade ?? "-",
                    ]
                }
        )
    }

    private func show(_ what: String, _ keys: [String], _ output: Output) {
        if !keys.isEmpty { output("  \(what): \(keys.joined(separator: ", "))") }
    }
}
