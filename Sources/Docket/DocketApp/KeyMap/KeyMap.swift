public import TerminalUI

/// The commands of keys, by context; keys may be sequences, commands are names.
public struct KeyMap {
    /// A place in the tree of sequences.
    struct Node {
        var command: String?
        /// In the order in which they were bound.
        var branches: [(key: Key, node: Node)] = []

        func branch(_ key: Key) -> Node? { branches.first { $0.key == key }?.node }

        /// Whether a command below it meets a condition.
        func contains(where isWanted: (String) -> Bool) -> Bool {
            command.map(isWanted) ?? false
                || branches.contains { $0.node.contains(where: isWanted) }
        }

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

    /// The meaning of the keys pressed so far.
    enum Meaning {
        case command(String)
        /// The beginning of sequences; the keys that can follow, with what they lead to.
        case prefix([(key: Key, node: Node)])
        case nothing
    }

    /// A command's sequences, in the order of binding.
    private struct Binding {
        let context: KeyContext
        var sequences: [[Key]] = []
    }

    private var roots: [KeyContext: Node] = [:]
    private var bindings: [String: Binding] = [:]

    /// Without any keys.
    public init() {}

    /// Binds a sequence; former meanings of it, of its beginnings and of its continuations are
    /// removed.
    mutating func bind(_ keys: [Key], to command: String, in context: KeyContext) {
        unbind(overlapping: keys, in: context)
        roots[context, default: Node()].bind(keys[...], to: command)
        bindings[command, default: Binding(context: context)].sequences.append(keys)
    }

    /// Removes all keys of a command.
    mutating func unbindAll(_ command: String) {
        guard let binding = bindings.removeValue(forKey: command) else { return }
        for keys in binding.sequences { roots[binding.context]?.unbind(keys[...]) }
    }

    private mutating func unbind(overlapping keys: [Key], in context: KeyContext) {
        // Most keys of a new map are free, which the tree tells faster than the list.
        guard overlaps(keys, in: context) else { return }
        for (id, binding) in bindings where binding.context == context {
            let bound = binding.sequences
            let kept = bound.filter { !$0.starts(with: keys) && !keys.starts(with: $0) }
            guard kept.count < bound.count else { continue }
            for gone in bound where !kept.contains(gone) {
                roots[context]?.unbind(gone[...])
            }
            bindings[id]?.sequences = kept
        }
    }

    /// Whether a sequence, a beginning of it or a continuation of it is bound.
    private func overlaps(_ keys: [Key], in context: KeyContext) -> Bool {
        guard var node = roots[context] else { return false }
        for key in keys where node.command == nil {
            guard let next = node.branch(key) else { return false }
            node = next
        }
        return true
    }

    func meaning(of keys: [Key], in context: KeyContext) -> Meaning {
        guard var node = roots[context] else { return .nothing }
        for key in keys {
            guard let next = node.branch(key) else { return .nothing }
            node = next
        }
        if let command = node.command { return .command(command) }
        return node.branches.isEmpty ? .nothing : .prefix(node.branches)
    }

    /// The sequences of a command.
    public func keys(of command: String) -> [[Key]] { bindings[command]?.sequences ?? [] }

    /// The first sequence of a command in the form for people, empty for none: `␣`, `gg`, `^R`.
    func label(of command: String, ascii: Bool) -> String {
        keys(of: command).first.map { KeyLabel.of($0, ascii: ascii) } ?? ""
    }

    /// All sequences of a command in the form for people.
    func labels(of command: String, ascii: Bool) -> String {
        keys(of: command).map { KeyLabel.of($0, ascii: ascii) }.joined(separator: ", ")
    }
}
