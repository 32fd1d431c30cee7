extension InputDecoder {
    /// A whole control sequence, its escape byte included.
    mutating func finishControl(_ whole: [UInt8], into events: inout [InputEvent]) {
        guard let final = whole.last else { return }
        let body = whole[2..<whole.count - 1]
        switch (body.first, final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
            let numbers = fields(body.dropFirst()).map { $0.first ?? 0 }
            finishMouse(numbers, released: final == UInt8(ascii: "m"), into: &events)
            return
        case (UInt8(ascii: "?"), _):
            finishReport(body.dropFirst(), final: final, into: &events)
            return
        case (let leader?, _) where (0x3C...0x3F).contains(leader):
            return
        default: break
        }
        let fields = fields(body)
        let first = fields.first?.first ?? 0
        switch final {
        case UInt8(ascii: "~") where first == 200 && body.count == 3: paste = PasteBuffer()
        case UInt8(ascii: "~") where first == 201: break
        case UInt8(ascii: "~") where first == 27 && fields.count >= 3:
            // xterm's modifyOtherKeys.
            appendKey(fields[2].first ?? 0, fields[1].first ?? 1, into: &events)
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "@"):
            var modifiers = eventModifiers(fields)
            if final == UInt8(ascii: "^") { modifiers.insert(.ctrl) }
            if final == UInt8(ascii: "@") { modifiers.formUnion([.ctrl, .shift]) }
            if let key = tildeKey(first, modifiers), !isRelease(fields) { events.append(.key(key)) }
        case UInt8(ascii: "u"): finishKittyKey(fields, into: &events)
        case UInt8(ascii: "t"):
            let sizes = fields.compactMap(\.first)
            guard sizes.count == 3, first == 6, sizes[1] > 0, sizes[2] > 0 else { return }
            events.append(.report(.cell(Size(rows: sizes[1], columns: sizes[2]))))
        case UInt8(ascii: "I") where body.isEmpty: events.append(.focus(true))
        case UInt8(ascii: "O") where body.isEmpty: events.append(.focus(false))
        case UInt8(ascii: "Z"): events.append(.key(.backTab))
        case UInt8(ascii: "a")...UInt8(ascii: "d"):  // rxvt's shifted arrows
            if let code = lowercaseArrow(final) { events.append(.key(Key(code, .shift))) }
        default:
            let modifiers = eventModifiers(fields)
            if let key = letterKey(final, modifiers), !isRelease(fields) {
                events.append(.key(key))
            }
        }
    }

    /// The parameters, and for each the parts between colons.
    func fields(_ body: ArraySlice<UInt8>) -> [[Int]] {
        body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(number)
        }
    }

    /// A decimal number; other characters are skipped, and the value stays below a million.
    func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { value, digit in
            (0x30...0x39).contains(digit) ? min(value * 10 + Int(digit - 0x30), 9_999_999) : value
        }
    }

    /// A modifier parameter: one more than the bits.
    func modifiers(_ parameter: Int) -> Key.Modifiers {
        Key.Modifiers(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1) & 0x0F))
    }

    private func eventModifiers(_ fields: [[Int]]) -> Key.Modifiers {
        fields.count > 1 ? modifiers(fields[1].first ?? 1) : []
    }

    /// The kitty protocol's event type 3, where it is on.
    private func isRelease(_ fields: [[Int]]) -> Bool {
        fields.count > 1 && fields[1].count > 1 && fields[1][1] == 3
    }

    func letterKey(_ final: UInt8, _ modifiers: Key.Modifiers) -> Key? {
        let code: Key.Code
        switch final {
        case UInt8(ascii: "A"): code = .up
        case UInt8(ascii: "B"): code = .down
        case UInt8(ascii: "C"): code = .right
        case UInt8(ascii: "D"): code = .left
        case UInt8(ascii: "F"): code = .end
        case UInt8(ascii: "H"): code = .home
        case UInt8(ascii: "P")...UInt8(ascii: "S"): code = .function(Int(final) - 0x4F)
        default: return nil
        }
        return Key(code, modifiers)
    }

    /// In application mode, the keypad's keys type the characters printed on them.
    func keypadKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "X"): Key("=")
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "j")...UInt8(ascii: "y"): Key(Character(Unicode.Scalar(final - 0x40)))
        default: nil
        }
    }

    func lowercaseArrow(_ final: UInt8) -> Key.Code? {
        switch final {
        case UInt8(ascii: "a"): .up
        case UInt8(ascii: "b"): .down
        case UInt8(ascii: "c"): .right
        case UInt8(ascii: "d"): .left
        default: nil
        }
    }

    /// `ESC [ number ~`.
    func tildeKey(_ number: Int, _ modifiers: Key.Modifiers) -> Key? {
        let code: Key.Code
        switch number {
        case 1, 7: code = .home
        case 2: code = .insert
        case 3: code = .delete
        case 4, 8: code = .end
        case 5: code = .pageUp
        case 6: code = .pageDown
        case 11...15: code = .function(number - 10)
        case 17...21: code = .function(number - 11)
        case 23...26: code = .function(number - 12)
        case 28, 29: code = .function(number - 13)
        case 31...34: code = .function(number - 14)
        default: return nil
        }
        return Key(code, modifiers)
    }

    /// `ESC [ code:shifted:base ; modifiers:event ; text u` of the kitty keyboard protocol.
    private func finishKittyKey(_ fields: [[Int]], into events: inout [InputEvent]) {
        guard let codes = fields.first, !isRelease(fields) else { return }
        let parameter = fields.count > 1 ? fields[1].first ?? 1 : 1
        let shifted = codes.count > 1 && codes[1] > 0
        let usesShifted = shifted && modifiers(parameter).isDisjoint(with: [.ctrl, .alt])
        appendKey(usesShifted ? codes[1] : codes[0], parameter, into: &events)
    }

    /// A key by its scalar value and modifier parameter.
    private func appendKey(_ value: Int, _ parameter: Int, into events: inout [InputEvent]) {
        let modifiers = modifiers(parameter)
        let code: Key.Code
        switch value {
        case 9: code = .tab
        case 13, 57414: code = .enter
        case 27: code = .escape
        case 8, 127: code = .backspace
        case 57399...57408:
            code = .character(Character(Unicode.Scalar(UInt8(value - 57399 + 0x30))))
        case 57409...57416 where value != 57414:
            let signs: [Int: Character] = [
                57409: ".", 57410: "/", 57411: "*", 57412: "-", 57413: "+", 57415: "=", 57416: ",",
            ]
            guard let sign = signs[value] else { return }
            code = .character(sign)
        case 57417...57426:
            let pad: [Key.Code] = [
                .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
            ]
            code = pad[value - 57417]
        case 57363: code = .menu
        case 57376...57398: code = .function(value - 57376 + 13)
        case 0x20..<0x7F, 0xA0..<0xE000, 0xF900...0x10FFFF:
            guard let scalar = Unicode.Scalar(UInt32(value)) else { return }
            code = .character(Character(scalar))
        default: return
        }
        events.append(.key(Key(code, modifiers)))
    }
}
