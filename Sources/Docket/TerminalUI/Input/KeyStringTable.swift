/// Key strings of the terminal's description, to look up while bytes arrive.
struct KeyStringTable: Sendable {
    /// Keys that send a single byte, which is neither a printable character nor an escape.
    let single: [UInt8: Key]
    private let sequences: [[UInt8]: Key]
    private let openings: Set<[UInt8]>

    init(_ seeds: [KeySeed]) {
        var single: [UInt8: Key] = [:]
        var sequences: [[UInt8]: Key] = [:]
        var openings: Set<[UInt8]> = []
        for seed in seeds {
            guard let first = seed.bytes.first else { continue }
            if seed.bytes.count == 1 {
                let control = first < 0x20 && first != 0x1B || first == 0x7F
                if control, single[first] == nil { single[first] = seed.key }
            } else if first == 0x1B, sequences[seed.bytes] == nil {
                sequences[seed.bytes] = seed.key
                for length in 1..<seed.bytes.count { openings.insert(Array(seed.bytes[..<length])) }
            }
        }
        self.single = single
        self.sequences = sequences
        self.openings = openings
    }

    /// The key of a whole sequence.
    func key(_ sequence: [UInt8]) -> Key? { sequences.isEmpty ? nil : sequences[sequence] }

    /// Whether a longer sequence starts with these bytes.
    func opens(_ sequence: [UInt8]) -> Bool { !openings.isEmpty && openings.contains(sequence) }
}
