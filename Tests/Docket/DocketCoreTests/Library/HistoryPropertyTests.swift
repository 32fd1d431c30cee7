import DocketCore
import Foundation
import ObjectGraph
import SeededRandom
import Testing

/// Undo and redo over random commands, on the file, by several libraries at once.
@Suite("Undoing everything")
struct HistoryPropertyTests {
    /// Two libraries on one file, like two processes; one of them may be closed and opened again.
    private struct Pair {
        let folder: LibraryFolder
        var libraries: [Library]

        init() throws {
            folder = try LibraryFolder()
            libraries = [try folder.open(author: "one"), try folder.open(author: "two")]
        }

        mutating func reopen(_ index: Int) throws {
            libraries[index].close()
            libraries[index] = try folder.open(author: "again")
        }
    }

    @Test(arguments: SeededRandom.seeds(5))
    func undoingAllLeadsToTheStartAndRedoingAllToTheEnd(seed: UInt64) throws {
        var random = RandomCommands(seed: seed)
        var pair = try Pair()
        // The states that undo leads back through; the last is the present one.
        var states = [try pair.libraries[0].everything()]
        var undone: [String] = []
        for step in 0..<60 {
            let index = random.number(2)
            if random.chance(5) { try pair.reopen(index) }
            let library = pair.libraries[index]
            if random.chance(10), states.count > 1 {
                #expect(try library.undo()?.isDone == true, "seed \(seed), step \(step)")
                undone.append(states.removeLast())
            } else if random.chance(10), let state = undone.last {
                #expect(try library.redo()?.isDone == true, "seed \(seed), step \(step)")
                states.append(state)
                undone.removeLast()
            } else {
                let before = try library.latestTransaction()
                try random.run(on: library)
                if try library.latestTransaction() > before {
                    states.append(try library.everything())
                    undone = []
                }
            }
            let present = try pair.libraries[random.number(2)].everything()
            try #require(present == states.last, "seed \(seed), step \(step)")
        }
        try checkWayBack(seed, &random, &pair, states, undone.reversed())
    }

    private func checkWayBack(
        _ seed: UInt64,
        _ random: inout RandomCommands,
        _ pair: inout Pair,
        _ states: [String],
        _ undone: [String]
    ) throws {
        for (place, state) in states.enumerated().dropLast().reversed() {
            let index = random.number(2)
            if random.chance(10) { try pair.reopen(index) }
            try #require(
                try pair.libraries[index].undo()?.isDone == true,
                "seed \(seed), undo to \(place)"
            )
            let present = try pair.libraries[random.number(2)].everything()
            try #require(present == state, "seed \(seed), undo to \(place)")
        }
        #expect(try pair.libraries[0].undo() == nil, "seed \(seed)")
        for (place, state) in (states + undone).enumerated().dropFirst() {
            let index = random.number(2)
            if random.chance(10) { try pair.reopen(index) }
            try #require(
                try pair.libraries[index].redo()?.isDone == true,
                "seed \(seed), redo to \(place)"
            )
            let present = try pair.libraries[random.number(2)].everything()
            try #require(present == state, "seed \(seed), redo to \(place)")
        }
        #expect(try pair.libraries[1].redo() == nil, "seed \(seed)")
        for library in pair.libraries { library.close() }
    }
}
