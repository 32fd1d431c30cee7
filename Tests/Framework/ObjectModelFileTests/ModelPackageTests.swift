import Foundation
import ObjectModel
import ObjectModelFile
import Testing

@Suite struct ModelPackageTests {
    private func file(_ names: String...) -> ModelFile {
        ModelFile(ManagedObjectModel(names.map { EntityDescription($0) }))
    }

    @Test func packageComesBackWithItsCurrentVersion() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "M.xcdatamodeld").path
            var package = ModelPackage("M", file("A"))
            package.versions["M 2"] = file("A", "B")
            package.currentName = "M 2"
            try package.write(to: path)
            var again = try ModelPackage(contentsOf: path)
            #expect(again.versionNames == ["M", "M 2"])
            #expect(again.currentName == "M 2")
            #expect(again.current.model.entities.map(\.name) == ["A", "B"])
            again.versions["M"] = nil
            try again.write(to: path)
            #expect(try ModelPackage(contentsOf: path).versionNames == ["M 2"])
        }
    }

    @Test func singleVersionNeedsNoPointer() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "M.xcdatamodeld")
            try ModelPackage("Other", file("A")).write(to: path.path)
            try FileManager.default.removeItem(at: path.appending(path: ".xccurrentversion"))
            let package = try ModelPackage(contentsOf: path.path)
            #expect(package.currentName == "Other")
            #expect(package.issues.isEmpty)
        }
    }

    @Test func pointerToAMissingVersionIsAnIssue() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "M.xcdatamodeld").path
            var package = ModelPackage("M", file("A"))
            package.currentName = "Gone"
            try package.write(to: path)
            let again = try ModelPackage(contentsOf: path)
            #expect(again.currentName == "M")
            #expect(again.issues.first?.message.contains("\"Gone\"") == true)
        }
    }

    @Test(arguments: ["nowhere.xcdatamodeld", "M.momd", "M.mom", "plain", "empty.xcdatamodeld"])
    func whatIsNoModelIsRefused(name: String) throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: name)
            if name != "nowhere.xcdatamodeld" {
                try FileManager.default.createDirectory(
                    at: path,
                    withIntermediateDirectories: true
                )
            }
            let error = #expect(throws: ObjectGraphError.self) {
                try ModelPackage(contentsOf: path.path)
            }
            #expect(error?.message.hasPrefix(path.path) == true)
            #expect(error?.recovery.isEmpty == false)
        }
    }

    @Test func oldBinaryFormIsRefused() throws {
        try withTemporaryFolder { folder in
            let version = folder.appending(path: "M.xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data("bplist00".utf8).write(to: version.appending(path: "elements"))
            let error = #expect(throws: ObjectGraphError.self) {
                try ModelPackage(contentsOf: version.path)
            }
            #expect(error?.message.contains("before Xcode 4.3") == true)
        }
    }
}
