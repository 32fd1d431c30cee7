import ObjectGraph

// Bed, Plant and GardenModel are generated from Garden.xcdatamodeld.
extension Bed {
    var summary: String { "\(name): \(plants.map(\.name).sorted().joined(separator: ", "))" }
}

var options = StoreOptions()
options.type = .inMemory
let container = try PersistentContainer(
    model: GardenModel.make(),
    classes: GardenModel.classes,
    options: options
)
let context = container.viewContext
let bed = Bed(in: context) { $0.name = "South" }
for name in ["Sage", "Mint"] {
    Plant(in: context) {
        $0.name = name
        $0.bed = bed
    }
}
try context.save()
print(bed.summary)
