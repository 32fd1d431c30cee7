import CaseFiles
import Foundation
import ObjectGraph
import ObjectModel
import Testing

/// Stores that Apple's framework wrote are not changed in place; a new store can be made from one.
@Suite(.enabled(if: CaseFiles.has("stores"), "there is no folder with cases (DOCKET_CASES)"))
struct ForeignMigrationTests {
    private func cars(_ extra: [PropertyDescription] = []) -> ManagedObjectModel {
        let car = EntityDescription(
            "Car",
            [
                AttributeDescription("maker", .string),
                AttributeDescription("numberPlate", .string),
                RelationshipDescription("owner", to: "Person", inverse: "cars"),
            ] + extra
        )
        let person = EntityDescription(
            "Person",
            [
                AttributeDescription("firstName", .string),
                RelationshipDescription("cars", to: "Car", inverse: "owner", toMany: true),
            ]
        )
        return ManagedObjectModel([
            car, EntityDescription("SportCar", superentity: "Car"),
            EntityDescription("ExpensiveSportCar", superentity: "SportCar"), person,
        ])
    }

    @Test func foreignStoreStaysAsItIsAndANewOneIsMadeFromIt() throws {
        let folder = try MigrationFolder()
        let path =
            "stores/alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite"
        try CaseFiles.data(path).write(to: folder.file())
        let before = try Data(contentsOf: folder.file())
        let wings = { [AttributeDescription("wings", .integer16, default: .int(2))] }
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try PersistentContainer(model: cars(wings()), url: folder.file())
        }
        #expect(error?.code == .incompatibleVersion)
        #expect(error?.message.contains("another framework") == true)
        #expect(try Data(contentsOf: folder.file()) == before)

        try PersistentStoreCoordinator.migrateStore(
            from: StoreDescription(url: folder.file()),
            model: cars(),
            to: StoreDescription(url: folder.file("new.sqlite")),
            model: cars(wings())
        )
        let old = try GraphDump(folder.file(), cars())
        let new = try GraphDump(folder.file("new.sqlite"), cars(wings()))
        #expect(!old.objects.isEmpty && new.objects.count == old.objects.count)
        for entity in ["Car", "SportCar", "ExpensiveSportCar", "Person"] {
            for key in ["numberPlate", "firstName"] {
                func values(_ dump: GraphDump) -> [String] {
                    dump.objects.filter { $0.key.hasPrefix(entity + "/") }
                        .compactMap { $0.value[key]?[0] }.sorted()
                }
                #expect(values(old) == values(new))
            }
        }
        #expect(new.objects.values.allSatisfy { $0["wings"] == nil || $0["wings"] == ["int(2)"] })
        let owned = { (dump: GraphDump) in
            dump.objects.values.count { $0["owner"]?.isEmpty == false }
        }
        #expect(owned(old) == owned(new) && owned(old) > 0)
    }
}
