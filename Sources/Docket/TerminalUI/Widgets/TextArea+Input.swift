extension TextArea {
    /// Edits by a key: characters, Enter, motions by character, word, row, page and text.
    public mutating func handle(_ key: Key) -> EditOutcome {
        if let character = key.typed {
            insert(String(character))
            return .changed
        }
        if key == .enter {
            insertLineEnd()
            return .changed
        }
        if move(by: key) { return .moved }
        guard let removal = TextEditing.removal(for: key) else { return .ignored }
        return remove(removal)
    }

    private mutating func move(by key: Key) -> Bool {
        let page = max(1, viewport.rows - 1)
        switch key {
        case .up, .ctrl("p"): moveRows(-1)
        case .down, .ctrl("n"): moveRows(1)
        case .pageUp: moveRows(-page)
        case .pageDown: moveRows(page)
        case Key(.home, .ctrl): moveCursor(to: Cursor(line: 0, offset: 0))
        case Key(.end, .ctrl): moveCursor(to: Cursor(line: lines.count - 1, offset: .max))
        default:
            guard let motion = TextEditing.motion(for: key) else { return false }
            cursor = target(motion)
            aim = nil
        }
        return true
    }

    private mutating func moveRows(_ count: Int) {
        place(on: moved(row(of: cursor), by: count))
    }

    /// The target of a motion; at an end of a line it continues in the next one.
    private func target(_ motion: TextEditing.Motion) -> Cursor {
        let text = lines[cursor.line].text
        switch motion {
        case .characterBack, .wordBack:
            if cursor.offset == 0, cursor.line > 0 {
                let line = cursor.line - 1
                return Cursor(line: line, offset: lines[line].text.utf8.count)
            }
        case .characterOn, .wordOn:
            if cursor.offset == text.utf8.count, cursor.line + 1 < lines.count {
                return Cursor(line: cursor.line + 1, offset: 0)
            }
        case .lineStart, .lineEnd: break
        }
        return Cursor(
            line: cursor.line,
            offset: TextEditing.target(motion, from: cursor.offset, in: text)
        )
    }

    private mutating func remove(_ motion: TextEditing.Motion) -> EditOutcome {
        var target = target(motion)
        // At the end of a line, deleting to the end of the line deletes the line end.
        if case .lineEnd = motion, target == cursor, cursor.line + 1 < lines.count {
            target = Cursor(line: cursor.line + 1, offset: 0)
        }
        guard target != cursor else { return .moved }
        let backward = (target.line, target.offset) < (cursor.line, cursor.offset)
        remove(from: backward ? target : cursor, to: backward ? cursor : target)
        return .changed
    }
}
