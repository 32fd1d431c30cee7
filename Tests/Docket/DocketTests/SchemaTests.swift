import Foundation
import Testing

@Suite("The JSON Schema of items, by a validator")
struct SchemaTests {
    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for error in validator.iter_errors(json.load(sys.stdin)):
            print(error.json_path, error.message[:300])
        """

    private let docket: Docket

    init() throws {
        docket = try Docket()
        try docket.write(Self.script, to: "validate.py")
        try docket.write(docket("export", "--schema").bytes, to: "schema.json")
    }

    private static let hasValidator =
        (try? Docket().shell("python3 -c 'from jsonschema import Draft202012Validator'").code) == 0

    /// What the validator finds wrong.
    private func complaints(_ json: Data) throws -> String {
        let outcome = try docket.shell(
            "python3 \(docket.path("validate.py")) \(docket.path("schema.json"))",
            input: json
        )
        return outcome.output + outcome.errors
    }

    @Test(.enabled(if: hasValidator, "python3-jsonschema is not installed"))
    func whatIsWrittenFollowsIt() throws {
        for words in [
            ["add", "Pay rent #bank +Home due:friday"], ["add", "Water every 3 days from today"],
            ["add", "--note", "Idea\nbody"], ["add", "Sub"],
            ["edit", "1", "remind=1 week before, 2 h before", "estimate=30m", "location=Office"],
            ["edit", "4", "parent=1", "waits=2", "flagged=yes"], ["done", "2"], ["trash", "3"],
            ["start", "1"], ["stop"], ["start", "4"], ["lists", "add", "Soon", "due:<7d"],
        ] {
            let outcome = try docket.run(words)
            #expect(outcome.code == 0, "\(words) \(outcome.errors)")
        }
        try docket.write("{\"title\":\"x\",\"other\":{\"a\":[1]}}", to: "other.json")
        try docket("import", docket.path("other.json"))
        let whole = try docket("export").bytes
        #expect(try JSONSerialization.jsonObject(with: whole) as? [Any] != nil)
        #expect(try complaints(whole) == "")
        #expect(try complaints(docket("list", "--all", "--json").bytes) == "")
        #expect(try complaints(docket("show", "1", "--json").bytes) == "")
    }

    @Test(
        .enabled(if: hasValidator, "python3-jsonschema is not installed"),
        arguments: [
            "{\"title\":5}", "{\"kind\":\"task\"}", "{\"title\":\"a\",\"due\":\"tomorrow\"}",
            "{\"title\":\"a\",\"kind\":\"event\"}", "{\"title\":\"a\",\"priority\":9}",
            "{\"title\":\"a\",\"parent\":\"1\"}", "{\"kind\":\"smartList\",\"title\":\"a\"}",
        ]
    )
    func whatCannotBeImportedDoesNot(json: String) throws {
        #expect(try complaints(Data("[\(json)]".utf8)) != "")
        let outcome = try docket("import", "--strict", "-", input: Data("[\(json)]".utf8))
        #expect(outcome.code == 1, "\(outcome)")
    }
}
