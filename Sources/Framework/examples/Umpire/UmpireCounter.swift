import ObjectGraph

/// Balls, strikes and outs, by the rules: three strikes make an out, and each new batter begins
/// without balls and strikes.
final class UmpireCounter: ManagedObject {
    @Managed var balls: Int16 = 0
    @Managed var strikes: Int16 = 0
    @Managed var outs: Int16 = 0

    /// The limit of each number; after it, the number starts again.
    private static let limits: [String: Int64] = ["balls": 4, "strikes": 3, "outs": 3]

    /// Increments a number by its key.
    ///
    /// - Throws: `ObjectGraphError` with code `undefinedKey` if the number does not exist.
    func countUp(_ key: String) throws {
        let number = (Int64(value: try value(forKey: key)) ?? 0) + 1
        let isFull = number == Self.limits[key]
        if key == "outs" { try setValue(.int(isFull ? 0 : number), forKey: key) }
        guard isFull || key == "outs" else { return try setValue(.int(number), forKey: key) }
        // The batter walks or is out; either way the next one comes.
        for key in ["balls", "strikes"] where try value(forKey: key) != 0 {
            try setValue(0, forKey: key)
        }
        if key == "strikes" { try countUp("outs") }
    }
}
