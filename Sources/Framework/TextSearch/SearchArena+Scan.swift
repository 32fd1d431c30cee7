import CText

// The arena and a query as C structures for CText.
extension SearchArena {
    /// Runs a closure with the rows and the query as C structures, which are valid during the call.
    func withQuery<Result>(
        _ query: SearchQuery,
        _ body: (UnsafePointer<ctext_rows>, UnsafePointer<ctext_query>) -> Result
    ) -> Result {
        let words = query.deciding.flatMap { $0 }
        // The field of a word matters only if some field is not searched.
        let fields = query.fields.isSuperset(of: usedFields) ? .all : query.fields
        return words.withUnsafeBufferPointer { words in
            let needles = needles(for: query.deciding, in: words)
            return needles.withUnsafeBufferPointer { needles in
                var cQuery = ctext_query(
                    words: needles.baseAddress,
                    word_count: needles.count,
                    fields: fields.rawValue
                )
                return withRows { body($0, &cQuery) }
            }
        }
    }

    /// The words as needles, the word that is probably rarest first.
    private func needles(
        for words: [[UInt8]],
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> [ctext_needle] {
        frequencies.withUnsafeBufferPointer { frequencies in
            let total = frequencies.reduce(256) { $0 + Double($1) }
            var needles: [(needle: ctext_needle, probability: Double)] = []
            var offset = 0
            for word in words {
                let start = bytes.baseAddress.map { $0 + offset }
                let needle = ctext_needle_make(start, word.count, frequencies.baseAddress)
                let probability = word.reduce(1) {
                    $0 * (Double(frequencies[Int($1)]) + 1) / total
                }
                needles.append((needle, probability))
                offset += word.count
            }
            return needles.sorted { $0.probability < $1.probability }.map(\.needle)
        }
    }

    private func withRows<Result>(_ body: (UnsafePointer<ctext_rows>) -> Result) -> Result {
        segments.starts.withUnsafeBufferPointer { starts in
            segments.rows.withUnsafeBufferPointer { rows in
                rowSegments.withUnsafeBufferPointer { rowSegments in
                    var cRows = ctext_rows(
                        bytes: segments.bytes,
                        starts: starts.baseAddress,
                        segment_rows: rows.baseAddress,
                        row_segments: rowSegments.baseAddress,
                        segment_count: UInt32(rows.count),
                        row_count: UInt32(rowSegments.count)
                    )
                    return body(&cRows)
                }
            }
        }
    }
}
