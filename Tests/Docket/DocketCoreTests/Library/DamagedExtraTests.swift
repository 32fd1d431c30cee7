import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// What a store keeps of other programs' fields is text; whatever stands there, an export is valid.
@Suite("Damaged fields of other programs")
struct DamagedExtraTests {
    private static let texts = [
        "", "x", "{", "{}}", "{\"a\"}", "{\"todotxt\":{nonsense}}", "{\"a\":{\"b\":01}}",
        "{\"a\":{\"b\":1.}}", "{\"a\":{\"b\":tru}}", "{\"a\":{\"b\":1,}}", "{\"a\" {}}",
        "{\"a\":{\"b\":\"\\q\"}}", "{\"a\":{\"b\":\"\\u12g4\"}}", "{'a':{}}", "[1]", "null",
        "{\"a\":{\"b\":\"tab\there\"}}", "{\"a\":{},}", "{\"a\":[1,2}}", "{\"a\":NaN}",
        "{\"taskwarrior\":{\"uuid\":\"x\",\"due\":\"x\",\"status\":5,\"end\":{},\"udef\":1}}",
        "{\"json\":{\"title\":\"other\",\"mine\":1}}", "{\"js\\u006fn\":{\"title\":\"other\"}}",
        String(repeating: "{\"a\":", count: 130) + "1" + String(repeating: "}", count: 130),
    ]

    @Test func everyExportIsValidJSON() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for (place, text) in Self.texts.enumerated() {
            let task = try library.addTask(capturing: "item \(place)")
            try library.change {
                task.extra = text
                return StepName(edited: task)
            }
        }
        for format in [ExchangeFormat.json, .taskwarrior] {
            var bytes: [UInt8] = []
            let report = try library.export(format) { bytes += $0 }
            let items = try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]]
            #expect(items?.count == Self.texts.count, "\(format)")
            let name = format == .json ? "title" : "description"
            #expect(items?.map { $0[name] as? String } == Self.texts.indices.map { "item \($0)" })
            let text = String(decoding: bytes, as: UTF8.self)
            for line in text.split(separator: "\n") {
                let own = format == .json ? ["title"] : ["uuid", "description", "due", "status"]
                for name in own {
                    #expect(line.components(separatedBy: "\"\(name)\":").count <= 2, "\(line)")
                }
            }
            #expect(text.contains(format == .json ? "\"mine\":1" : "\"udef\":1"))
            // Those that cannot be read are named.
            let told = report.changed.filter { $0.reason == ForeignFields.damage }.map(\.title)
            #expect(told.first == "item 0" && told.contains("item 5") && told.count >= 12)
        }
        // One item as a command shows it.
        let item = try library.item(.number(6))
        var bytes: [UInt8] = []
        DocketJSONWriter.append(library.record(of: item), to: &bytes)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
    }

    @Test func whatPassesIsWhatFoundationReads() throws {
        var random = SeededRandom()
        let whole = "{\"a\":{\"b\":[1,-2.5e+3,true,null,\"\\u00e4\\n\"],\"c\":{}},\"d\":{}}"
        let letters = Array("{}[]\":,\\0e+-.tnu ax\t".utf8)
        for _ in 0..<4000 {
            var bytes = Array(whole.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = letters[Int.random(in: 0..<letters.count, using: &random)]
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard ForeignFields.canPassOn(text) else { continue }
            #expect(throws: Never.self, "\(text)") {
                try JSONSerialization.jsonObject(with: Data(bytes))
            }
        }
        #expect(ForeignFields.canPassOn(whole))
        #expect(ForeignFields.canPassOn("{ }"))
    }
}
