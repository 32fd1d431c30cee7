extension InputDecoder {
    /// A byte after an escape byte.
    mutating func feedSequence(_ byte: UInt8, into events: inout [InputEvent]) {
        sequence.append(byte)
        if let key = seeds.key(sequence), !seeds.opens(sequence) {
            sequence = []
            events.append(.key(key))
            return
        }
        if sequence.count > Limits.sequence, isPlain(sequence[1]) {
            sequence = []
            return
        }
        switch sequence[1] {
        case UInt8(ascii: "["): feedControl(byte, into: &events)
        case UInt8(ascii: "O"): feedSingleShift(byte, into: &events)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
            UInt8(ascii: "X"):
            feedString(byte, into: &events)
        case 0x1B:
            // Esc twice: the first is the key, the second may open a sequence.
            sequence = [0x1B]
            events.append(.key(.escape))
        default:
            sequence = []
            feedGround(byte, alt: true, into: &events)
        }
    }

    /// Whether the following bytes are a control sequence, not a string with a terminator.
    private func isPlain(_ opener: UInt8) -> Bool {
        opener == UInt8(ascii: "[") || opener == UInt8(ascii: "O")
    }

    /// `ESC [ parameters intermediates final`, and the three older forms that break this grammar.
    private mutating func feedControl(_ byte: UInt8, into events: inout [InputEvent]) {
        guard sequence.count > 2 else { return }
        if byte == 0x1B {
            // A new sequence starts: the open one was incomplete.
            sequence = [0x1B]
            return
        }
        if sequence.count == 3, byte == UInt8(ascii: "[") || byte == UInt8(ascii: "M") { return }
        if sequence[2] == UInt8(ascii: "[") {  // the Linux console's F1 to F5
            finishLinuxFunctionKey(byte, into: &events)
        } else if sequence[2] == UInt8(ascii: "M") {  // X10 mouse: three bytes follow
            if sequence.count == 6 { finishOldMouse(into: &events) }
        } else if byte >= 0x40, byte <= 0x7E {
            let whole = sequence
            sequence = []
            finishControl(whole, into: &events)
        } else if byte == UInt8(ascii: "$"), sequence.count > 3,
            isDigits(sequence[2..<sequence.count - 1])
        {
            // rxvt ends shifted keys with $; a report continues to its final byte.
            let whole = sequence
            guard let key = tildeKey(number(whole[2..<whole.count - 1]), .shift) else { return }
            sequence = []
            events.append(.key(key))
        } else if byte < 0x20 || byte > 0x7E {
            sequence = []
        }
    }

    private func isDigits(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { (0x30...0x39).contains($0) }
    }

    private mutating func finishLinuxFunctionKey(_ byte: UInt8, into events: inout [InputEvent]) {
        sequence = []
        guard (0x41...0x45).contains(byte) else { return }
        events.append(.key(Key(.function(Int(byte) - 0x40))))
    }

    /// `ESC O final`, with an optional modifier digit between, as some terminals send it.
    private mutating func feedSingleShift(_ byte: UInt8, into events: inout [InputEvent]) {
        guard sequence.count > 2 else { return }
        if byte == 0x1B {
            sequence = [0x1B]
            events.append(.key(Key("O", .alt)))
            return
        }
        if (0x30...0x39).contains(byte), sequence.count < 5 { return }
        let digits = sequence[2..<sequence.count - 1]
        let modifiers = digits.isEmpty ? [] : self.modifiers(number(digits))
        sequence = []
        if let key = letterKey(byte, modifiers) ?? keypadKey(byte) {
            events.append(.key(key))
        } else if let code = lowercaseArrow(byte) {
            events.append(.key(Key(code, .ctrl)))
        }
    }

    /// What a terminal with the graphics protocol of kitty says to a question about picture 31.
    static let pictureAnswer = "Gi=31;OK"

    /// Operating system commands and similar ones: they end with BEL or `ESC \`.
    private mutating func feedString(_ byte: UInt8, into events: inout [InputEvent]) {
        guard sequence.count > 2 else { return }
        let count = sequence.count
        let previous = sequence[count - 2]
        if byte == 0x07 || (previous == 0x1B && byte == UInt8(ascii: "\\")) {
            let body = sequence[2..<(byte == 0x07 ? count - 1 : count - 2)]
            let opener = sequence[1]
            sequence = []
            if opener == UInt8(ascii: "]"), let report = report(of: Array(body)) {
                events.append(.report(report))
            } else if opener == UInt8(ascii: "_"), body.elementsEqual(Self.pictureAnswer.utf8) {
                events.append(.report(.pictures))
            }
        } else if previous == 0x1B, count > 3 {
            // Another sequence has interrupted the string.
            sequence = [0x1B]
            feedSequence(byte, into: &events)
        } else if byte == 0x18 || byte == 0x1A {
            sequence = []
        } else if count > Limits.sequence, byte != 0x1B {
            // Longer than every useful answer: the bytes are dropped up to the terminator.
            sequence.removeLast(count - 16)
            sequence.append(byte)
        }
    }
}
