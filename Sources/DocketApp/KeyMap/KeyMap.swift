import TerminalUI

/// Which keys ask for which command, by context; keys may be sequences.
package struct KeyMap {
    /// A place in the tree of sequences.
    struct Node {
        var command: String?
        /// In the order in which they were bound.
        var branches: [(key: Key, node: Node)] = []

        func branch(_ key: Key) -> Node? { branches.first { $0.key == key }?.node }

        mutating func bind(_ keys: ArraySlice<Key>, to command: String) {
            guard let key = keys.first else {
                self.command = command
                branches = []
                return
            }
            self.command = nil
            let place = branches.firstIndex { $0.key == key }
            var node = place.map { branches[$0].node } ?? Node()
            node.bind(keys.dropFirst(), to: command)
            if let place {
                branches[place].node = node
            } else {
                branches.append((key, node))
            }
        }

        mutating func unbind(_ keys: ArraySlice<Key>) {
            guard let key = keys.first else {
                command = nil
                return
            }
            guard let place = branches.firstIndex(where: { $0.key == key }) else { return }
            branches[place].node.unbind(keys.dropFirst())
            let node = branches[place].node
            if node.command == nil, node.branches.isEmpty { branches.remove(at: place) }
        }
    }

    /// What keys pressed so far mean.
    enum Meaning {
        case command(String)
        /// The beginning of sequences; the keys that can follow, with what they lead to.
        case prefix([(key: Key, node: Node)])
        case nothing
    }

    private var roots: [Command.Context: Node] = [:]
    /// The sequences of each command, in the order of binding.
    private var sequences: [String: [[Key]]] = [:]

    /// The default keys of the table.
    ///
    /// - Throws: `KeySpellingError` for a row that spells no key.
    package init(commands: [Command]) throws {
        for command in commands {
            for spelling in command.keys {
                bind(try Key.sequence(spelling), to: command)
            }
        }
    }

    /// Binds a sequence; whatever it, its beginnings or its continuations meant is gone.
    mutating func bind(_ keys: [Key], to command: Command) {
        unbind(overlapping: keys, in: command.context)
        roots[command.context, default: Node()].bind(keys[...], to: command.id)
        sequences[command.id, default: []].append(keys)
    }

    /// Takes all keys of a command away.
    mutating func unbindAll(_ command: Command) {
        for keys in sequences[command.id] ?? [] { roots[command.context]?.unbind(keys[...]) }
        sequences[command.id] = nil
    }

    private mutating func unbind(overlapping keys: [Key], in context: Command.Context) {
        for (id, bound) in sequences where CommandTable.command(id)?.context == context {
            let kept = bound.filter { !$0.starts(with: keys) && !keys.starts(with: $0) }
            guard kept.count < bound.count else { continue }
            for gone in bound where !kept.contains(gone) {
                roots[context]?.unbind(gone[...])
            }
            sequences[id] = kept
        }
    }

    func meaning(of keys: [Key], in context: Command.Context) -> Meaning {
        guard var node = roots[context] else { return .nothing }
        for key in keys {
            guard let next = node.branch(key) else { return .nothing }
            node = next
        }
        if let command = node.command { return .command(command) }
        return node.branches.isEmpty ? .nothing : .prefix(node.branches)
    }

    /// The sequences of a command.
    package func keys(of command: String) -> [[Key]] { sequences[command] ?? [] }

    /// The first sequence of a command as a person reads it, empty for none: `␣`, `gg`, `^R`.
    func label(of command: String, ascii: Bool) -> String {
        sequences[command]?.first.map { KeyLabel.of($0, ascii: ascii) } ?? ""
    }

    /// All sequences of a command as a person reads them.
    func labels(of command: String, ascii: Bool) -> String {
        (sequences[command] ?? []).map { KeyLabel.of($0, ascii: ascii) }.joined(separator: ", ")
    }
}
