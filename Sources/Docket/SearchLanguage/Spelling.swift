/// How much two words differ.
public enum Spelling {
    /// Whether one letter more, less, other or exchanged with its neighbour makes one the other.
    static func areSimilar(_ one: String, _ other: String) -> Bool {
        let (count, otherCount) = (one.utf8.count, other.utf8.count)
        return abs(count - otherCount) <= 1 && min(count, otherCount) > 1
            && steps(from: one, to: other) <= 1
    }

    /// How many letters must be inserted, removed, replaced or exchanged with their neighbour to
    /// turn one word into another.
    public static func steps(from one: String, to other: String) -> Int {
        let (one, other) = (Array(one.lowercased().utf8.prefix(64)), Array(other.utf8))
        var rows = [Array(0...other.count)]
        for (place, letter) in one.enumerated() {
            var row = [place + 1]
            for (column, target) in other.enumerated() {
                var best = min(row[column], rows[place][column + 1]) + 1
                best = min(best, rows[place][column] + (letter == target ? 0 : 1))
                if place > 0, column > 0, letter == other[column - 1], one[place - 1] == target {
                    best = min(best, rows[place - 1][column - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
