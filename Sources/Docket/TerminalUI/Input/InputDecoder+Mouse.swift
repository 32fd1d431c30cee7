extension InputDecoder {
    /// `ESC [ < button ; column ; row M`, or `m` for a release.
    func finishMouse(_ numbers: [Int], released: Bool, into events: inout [InputEvent]) {
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return }
        let place = Position(row: numbers[2] - 1, column: numbers[1] - 1)
        appendMouse(numbers[0], at: place, released: released, into: &events)
    }

    /// `ESC [ M` and three bytes, each increased by 32: the form of older terminals.
    mutating func finishOldMouse(into events: inout [InputEvent]) {
        let whole = sequence
        sequence = []
        guard whole[3] >= 32, whole[4] > 32, whole[5] > 32 else { return }
        let button = Int(whole[3]) - 32
        let place = Position(row: Int(whole[5]) - 33, column: Int(whole[4]) - 33)
        appendMouse(button, at: place, released: button & 0x43 == 3, into: &events)
    }

    private func appendMouse(
        _ bits: Int,
        at place: Position,
        released: Bool,
        into events: inout [InputEvent]
    ) {
        guard let lastArrival, bits < 128 else { return }
        let buttons: [MouseEvent.Button] = [.left, .middle, .right, .none]
        var button = buttons[bits & 3]
        let kind: MouseEvent.Kind
        if bits & 64 != 0 {
            let wheels: [MouseEvent.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
            kind = wheels[bits & 3]
            button = .none
            if released { return }
        } else if bits & 32 != 0 {
            kind = button == .none ? .move : .drag
        } else {
            kind = released ? .release : .press
        }
        var modifiers: Key.Modifiers = []
        if bits & 4 != 0 { modifiers.insert(.shift) }
        if bits & 8 != 0 { modifiers.insert(.alt) }
        if bits & 16 != 0 { modifiers.insert(.ctrl) }
        events.append(
            .mouse(
                MouseEvent(kind, button: button, at: place, modifiers: modifiers, time: lastArrival)
            )
        )
    }
}
