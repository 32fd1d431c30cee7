import DocketFormats
import FoundationEssentials
import SeededRandom
import Testing

@testable import DocketCore

@Suite struct ShortIDTests {
    @Test func numbersComeBack() throws {
        var random = SeededRandom()
        for _ in 0..<1000 {
            let number = Int64.random(in: 1...Int64.max, using: &random)
            #expect(try ShortID.parse(ShortID.string(number)) == number)
        }
    }

    @Test(arguments: [
        "", "0", "-1", "+1", "01", "1a", "12 ", "99999999999999999999", "١٢", "a", "1.0",
        "\u{1B}[1m",
    ])
    func otherTextIsRefusedWithASentence(text: String) {
        let error = #expect(throws: InputError.self) { try ShortID.parse(text) }
        #expect(error?.kind == .badReference)
        #expect(error?.message.hasSuffix(".") == true)
        #expect(error?.message.contains("\u{1B}") == false)
    }

    @Test func rangesAreSpelledOut() throws {
        #expect(try ShortID.parseList("3-5,4,12") == [3, 4, 5, 12])
        for text in ["5-3", "1-", "-", "1,,2", "1-2-3", "1-9223372036854775807", ","] {
            #expect(throws: InputError.self, "\(text)") { try ShortID.parseList(text) }
        }
    }

    @Test func referencesAreToldApart() throws {
        let uuid = UUID()
        #expect(try ItemReference("12") == .number(12))
        #expect(try ItemReference("12345678") == .number(12_345_678))
        #expect(try ItemReference(uuid.uuidString) == .uuid(uuid))
        #expect(try ItemReference(uuid.uuidString.lowercased()) == .uuid(uuid))
        #expect(try ItemReference("79c674d7") == .uuidPrefix("79C674D7"))
        #expect(try ItemReference("79c674d7-0e09-4") == .uuidPrefix("79C674D7-0E09-4"))
        for text in ["79c674", "zzzzzzzz", "79c674d7x0e09", ""] {
            #expect(throws: InputError.self, "\(text)") { try ItemReference(text) }
        }
    }

    @Test func uuidTextIsTheSystems() {
        for _ in 0..<500 {
            let uuid = UUID()
            var bytes: [UInt8] = []
            UUIDText.append(uuid, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == uuid.uuidString)
            #expect(UUIDText.lowercase(uuid) == uuid.uuidString.lowercased())
            #expect(UUIDText.parse(uuid.uuidString) == uuid)
        }
        #expect(UUIDText.parse("79c674d7-0e09-45d8-905f-13652de2eed") == nil)
        #expect(UUIDText.parse("79c674d7_0e09-45d8-905f-13652de2eed5") == nil)
    }

    @Test func listPathsComeBack() {
        for path in [["Home"], ["Home", "Garden"], ["a/b", "c\\"], ["\\"], ["/"], []] {
            #expect(ListPath.parse(ListPath.string(path)) == path)
        }
    }
}
