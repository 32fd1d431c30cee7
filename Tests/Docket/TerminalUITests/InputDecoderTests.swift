import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct InputDecoderTests {
    private let time = ContinuousClock.now

    private func events(_ text: String, seeds: [KeySeed] = []) -> [InputEvent] {
        var decoder = InputDecoder(seeds: seeds)
        return decoder.feed(Array(text.utf8), at: time)
    }

    private func spelled(_ text: String, seeds: [KeySeed] = []) -> String {
        events(text, seeds: seeds).map { event in
            if case .key(let key) = event { "\(key)" } else { "\(event)" }
        }.joined(separator: " ")
    }

    @Test(arguments: [
        ("aé日\u{1F600}", "a é 日 \u{1F600}"),
        ("\r\t\u{7F}\u{8}\n", "enter tab backspace ctrl+h ctrl+j"),
        ("\0\u{1}\u{1A}\u{1C}\u{1F}", "ctrl+space ctrl+a ctrl+z ctrl+\\ ctrl+_"),
        ("\u{1B}[A\u{1B}OB\u{1B}[H\u{1B}OF", "up down home end"),
        (
            "\u{1B}[1;2A\u{1B}[1;3B\u{1B}[1;5C\u{1B}[1;8D",
            "shift+up alt+down ctrl+right ctrl+alt+shift+left"
        ),
        ("\u{1B}[3~\u{1B}[5;5~\u{1B}[6^\u{1B}[7$", "delete ctrl+pageup ctrl+pagedown shift+home"),
        ("\u{1B}OP\u{1B}[15~\u{1B}[24~\u{1B}[[C\u{1B}[1;2Q", "f1 f5 f12 f3 shift+f2"),
        (
            "\u{1B}x\u{1B}\r\u{1B}\u{7F}\u{1B}é\u{1B}\u{12}",
            "alt+x alt+enter alt+backspace alt+é ctrl+alt+r"
        ),
        ("\u{1B}\u{1B}[A", "esc up"), ("\u{1B}\u{1B}x", "esc alt+x"),
        ("\u{1B}[Z\u{1B}[a\u{1B}Oc", "shift+tab shift+up ctrl+right"),
        ("\u{1B}OM\u{1B}Oj\u{1B}Op", "enter * 0"),
        ("\u{1B}[97;5u\u{1B}[27u\u{1B}[13;2u\u{1B}[97;2u", "ctrl+a esc shift+enter A"),
        ("\u{1B}[97:65;2u\u{1B}[9;5u\u{1B}[105;5u", "A ctrl+tab ctrl+i"),
        ("\u{1B}[97;1:3u\u{1B}[1;1:3A\u{1B}[57417u", "left"), ("\u{1B}[27;5;13~", "ctrl+enter"),
        ("\u{1B}[57376;1u\u{1B}[127;3u", "f13 alt+backspace"),
        ("\u{1B}[>0;95;0cx", "x"), ("\u{1B}[99999999999999999999~x", "x"),
        ("\u{1B}]0;title\u{7}x\u{1B}P+q\u{1B}\\y", "x y"), ("\u{1B}]0;cut\u{1B}[Ax", "up x"),
        ("\u{1B}[20\u{1B}[Ax", "up x"), ("\u{9B}A", "A"),
    ])
    func bytesBecomeKeys(bytes: String, keys: String) {
        #expect(spelled(bytes) == keys)
    }

    @Test func invalidBytesBecomeReplacementCharacters() {
        var decoder = InputDecoder()
        let events = decoder.feed([0xFF, 0xC3, 0x61, 0xE2, 0x82, 0x0D, 0xED, 0xA0, 0x80], at: time)
        let bad = InputEvent.key(Key("\u{FFFD}"))
        #expect(events == [bad, bad, .key(Key("a")), bad, .key(.enter), bad])
    }

    @Test func seedsComeFirst() {
        let seeds = [
            KeySeed(bytes: [8], key: .backspace),
            KeySeed(bytes: Array("\u{1B}[224z".utf8), key: Key(.function(1))),
            KeySeed(bytes: Array("\u{1B}A".utf8), key: .up),
        ]
        #expect(spelled("\u{8}\u{1B}[224z\u{1B}A\u{1B}[B", seeds: seeds) == "backspace f1 up down")
    }

    @Test func mouseHasPlaceButtonAndTime() {
        let place = Position(row: 6, column: 2)
        #expect(
            events("\u{1B}[<0;3;7M\u{1B}[<32;3;7M\u{1B}[<0;3;7m\u{1B}[<65;3;7M\u{1B}[<18;3;7M") == [
                .mouse(MouseEvent(.press, button: .left, at: place, time: time)),
                .mouse(MouseEvent(.drag, button: .left, at: place, time: time)),
                .mouse(MouseEvent(.release, button: .left, at: place, time: time)),
                .mouse(MouseEvent(.wheelDown, at: place, time: time)),
                .mouse(MouseEvent(.press, button: .right, at: place, modifiers: .ctrl, time: time)),
            ]
        )
        #expect(
            events("\u{1B}[M #'x") == [
                .mouse(MouseEvent(.press, button: .left, at: place, time: time)), .key(Key("x")),
            ]
        )
        #expect(events("\u{1B}[<0;0;7M\u{1B}[<0;3M\u{1B}[<999;1;1M") == [])
    }

    @Test func pasteIsOneEventWithoutControls() {
        #expect(
            events("\u{1B}[200~a\u{1B}[Ab\r\nc\rd\u{3}\u{85}\t日\u{1B}[201~x") == [
                .paste("a[Ab\nc\nd\t日"), .key(Key("x")),
            ]
        )
        #expect(events("\u{1B}[200~\u{1B}[201\u{1B}[201~") == [.paste("[201")])
    }

    @Test func largePasteIsComplete() {
        let text = String(repeating: "0123456789abcdé\n", count: 100_000)
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            events += decoder.feed(Array(bytes[start..<min(start + 4096, bytes.count)]), at: time)
        }
        #expect(events == [.paste(text)])
    }

    @Test func answersAboutPicturesAreReports() {
        #expect(events("\u{1B}_Gi=31;OK\u{1B}\\") == [.report(.pictures)])
        #expect(events("\u{1B}_Gi=31;ENOTSUPPORTED:x\u{1B}\\").isEmpty)
        #expect(events("\u{1B}[?62;4;6c") == [.report(.attributes([62, 4, 6]))])
        let cell = Size(rows: 18, columns: 9)
        #expect(events("\u{1B}[6;18;9t") == [.report(.cell(cell))])
        #expect(events("\u{1B}[6;0;9t").isEmpty && events("\u{1B}[4;600;800t").isEmpty)
    }

    @Test func focusAndReportsAreEvents() {
        #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
        #expect(
            events("\u{1B}]11;rgb:1e1e/ffff/00\u{7}") == [.report(.background(.rgb(0x1E, 0xFF, 0)))]
        )
        #expect(
            events("\u{1B}]10;#102030\u{1B}\\") == [.report(.foreground(.rgb(0x10, 0x20, 0x30)))]
        )
        #expect(events("\u{1B}]11;nonsense\u{7}") == [])
        #expect(
            events("\u{1B}[?1u\u{1B}[?2026;2$y") == [
                .report(.keyboardFlags(1)), .report(.mode(2026, state: 2)),
            ]
        )
    }

    @Test func loneEscapeIsTheKeyAfterTheDeadline() {
        var decoder = InputDecoder()
        #expect(decoder.deadline == nil)
        #expect(decoder.feed([0x1B], at: time) == [])
        #expect(decoder.deadline == time + .milliseconds(25))
        #expect(decoder.expire() == [.key(.escape)])
        #expect(decoder.deadline == nil)
        #expect(decoder.expire() == [])
    }

    @Test func openSequencesAreSettledAfterTheDeadline() {
        var decoder = InputDecoder()
        _ = decoder.feed(Array("\u{1B}[".utf8), at: time)
        #expect(decoder.expire() == [.key(.alt("["))])
        _ = decoder.feed(Array("\u{1B}]11;rgb:".utf8), at: time)
        #expect(decoder.deadline == time + .seconds(1))
        #expect(decoder.expire() == [])
        #expect(decoder.feed(Array("x".utf8), at: time) == [.key(Key("x"))])
    }

    @Test func pasteWithoutAnEndIsTextAfterAPause() {
        var decoder = InputDecoder()
        #expect(decoder.feed(Array("\u{1B}[200~dangerous\rq\u{3}\u{1B}[2".utf8), at: time) == [])
        #expect(decoder.deadline == time + InputDecoder.pasteDelay)
        // A pause that is shorter does not cut the text.
        _ = decoder.feed(Array("x".utf8), at: time + .seconds(1))
        #expect(decoder.deadline == time + .seconds(1) + InputDecoder.pasteDelay)
        #expect(decoder.expire() == [.paste("dangerous\nq[2x")])
        #expect(decoder.deadline == nil)
        #expect(decoder.feed([3], at: time + .seconds(9)) == [.key(.ctrl("c"))])
        // The end mark may still come; it is not a key.
        #expect(decoder.feed(Array("\u{1B}[201~".utf8), at: time + .seconds(9)) == [])
    }

    @Test func emptyPasteWithoutAnEndIsNothing() {
        var decoder = InputDecoder()
        _ = decoder.feed(Array("\u{1B}[200~".utf8), at: time)
        #expect(decoder.expire() == [])
        #expect(decoder.feed([0x61], at: time) == [.key(Key("a"))])
    }

    @Test func memoryOfAnEndlessPasteIsBounded() {
        var decoder = InputDecoder()
        _ = decoder.feed(Array("\u{1B}[200~".utf8), at: time)
        let block = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<40 { #expect(decoder.feed(block, at: time) == []) }
        #expect(decoder.paste?.bytes.count == InputDecoder.Limits.paste)
        #expect((decoder.paste?.bytes.capacity ?? .max) <= 2 * InputDecoder.Limits.paste)
        #expect(decoder.feed(Array("\u{1B}[201~".utf8), at: time).count == 1)
        #expect(InputDecoder.Limits.paste <= 16 << 20)
    }

    @Test(arguments: SeededRandom.seeds(4)) func eventsDoNotDependOnTheChunks(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<400 {
            let bytes = random.input()
            var whole = InputDecoder()
            let expected = whole.feed(bytes, at: time)
            var parts = InputDecoder()
            var events: [InputEvent] = []
            var place = 0
            while place < bytes.count {
                let end = min(bytes.count, place + Int.random(in: 1...4, using: &random))
                events += parts.feed(Array(bytes[place..<end]), at: time)
                place = end
            }
            #expect(events == expected, "seed \(seed): \(bytes)")
            #expect(whole.deadline == parts.deadline)
            #expect(whole.expire() == parts.expire())
        }
    }

    @Test(arguments: SeededRandom.seeds(4)) func memoryOfAnEndlessStringIsBounded(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var decoder = InputDecoder()
        _ = decoder.feed(Array("\u{1B}]52;".utf8), at: time)
        for _ in 0..<50 {
            let bytes = (0..<1000).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
            #expect(decoder.feed(bytes, at: time) == [])
        }
        #expect(decoder.sequence.count <= InputDecoder.Limits.sequence + 1)
        #expect(decoder.feed(Array("\u{7}x".utf8), at: time) == [.key(Key("x"))])
    }
}

extension SeededRandom {
    /// Bytes that are likely to form sequences, whole and broken.
    fileprivate mutating func input() -> [UInt8] {
        let pieces = [
            "\u{1B}", "[", "O", "]", "P", "\\", "<", "?", "M", "m", "~", "u", "A", ";", ":", "1",
            "2",
            "200~", "\u{1B}[200~", "\u{1B}[201~", "\u{7}", "é", "日", "\r", "\u{3}", "$", "0", "x",
            "\u{1B}[<0;1;1M", "11;rgb:1/2/3", "5", "[M", "\u{18}",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...25, using: &self) {
            if Int.random(in: 0..<6, using: &self) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &self))
            } else {
                bytes += Array(pieces[Int.random(in: 0..<pieces.count, using: &self)].utf8)
            }
        }
        return bytes
    }
}
