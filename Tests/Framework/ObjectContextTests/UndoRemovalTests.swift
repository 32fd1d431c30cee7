import ObjectContext
import ObjectModel
import SeededRandom
import Testing

/// A value that registers the inverse of each change.
private final class Field {
    private(set) var value = 0
    private let undo: UndoManager
    private let removesItself: Bool

    init(_ undo: UndoManager, removesItself: Bool = false) {
        self.undo = undo
        self.removesItself = removesItself
    }

    deinit { if removesItself { undo.removeAllActions(withTarget: self) } }

    func set(_ new: Int) throws {
        let old = value
        try undo.registerUndo(withTarget: self) { try $0.set(old) }
        value = new
    }
}

@Suite("Removing the actions of one target")
struct UndoRemovalTests {
    private let undo = UndoManager(notificationCenter: GraphNotificationCenter())

    @Test func restOfAGroupIsUndoneTogetherAndTheNextUndoIsTheStepBefore() throws {
        let (kept, gone) = (Field(undo), Field(undo))
        try undo.event { try kept.set(1) }
        try undo.event {
            try gone.set(5)
            try undo.group(named: "Both") {
                try kept.set(2)
                try gone.set(6)
                try kept.set(3)
            }
        }
        try undo.event { try undo.group(named: "Gone") { try gone.set(7) } }
        undo.removeAllActions(withTarget: gone)
        #expect(undo.undoActionName == "Both")
        try undo.undo()
        #expect(kept.value == 1 && gone.value == 7)
        try undo.undo()
        #expect(kept.value == 0 && !undo.canUndo)
        try undo.redo()
        try undo.redo()
        #expect(kept.value == 3 && gone.value == 7 && !undo.canRedo)
    }

    @Test func afterARedoOnlyTheTargetsActionsAreGone() throws {
        let (kept, gone) = (Field(undo), Field(undo))
        try undo.event { try kept.set(1) }
        try undo.event { try gone.set(1) }
        try undo.event {
            try gone.set(2)
            try kept.set(2)
        }
        for _ in 0..<3 { try undo.undo() }
        for _ in 0..<2 { try undo.redo() }
        undo.removeAllActions(withTarget: gone)
        try undo.redo()
        #expect(kept.value == 2 && gone.value == 1)
        try undo.undo()
        #expect(kept.value == 1)
        try undo.undo()
        #expect(kept.value == 0 && !undo.canUndo)
    }

    @Test func targetThatRemovesItselfAtItsEndLeavesNoStep() throws {
        let kept = Field(undo)
        try undo.event { try kept.set(1) }
        do {
            let form = Field(undo, removesItself: true)
            try undo.event { try form.set(1) }
            try undo.event {
                try form.set(2)
                try kept.set(2)
            }
        }
        try undo.undo()
        #expect(kept.value == 1)
        try undo.undo()
        #expect(kept.value == 0 && !undo.canUndo)
    }

    @Test func groupWithOnlyEmptyGroupsLeftIsNoStep() throws {
        let (kept, gone) = (Field(undo), Field(undo))
        try undo.event { try kept.set(1) }
        try undo.event {
            undo.group {}
            try undo.group(named: "Gone") { try gone.set(1) }
        }
        undo.removeAllActions(withTarget: gone)
        try undo.undo()
        #expect(kept.value == 0 && !undo.canUndo)
    }

    @Test func nameOfARemovedGroupIsNotShown() throws {
        let (kept, gone) = (Field(undo), Field(undo))
        try undo.event {
            try undo.group(named: "Kept") { try kept.set(1) }
            try undo.group(named: "Gone") { try gone.set(1) }
        }
        #expect(undo.undoActionName == "Gone")
        undo.removeAllActions(withTarget: gone)
        #expect(undo.undoActionName == "Kept")
    }

    @Test(arguments: SeededRandom.seeds(20))
    func stacksAreThoseOfAListOfSteps(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let fields = (0..<3).map { _ in Field(undo) }
        var model = ListOfSteps(count: fields.count)
        for step in 0..<300 {
            let field = Int.random(in: 0..<fields.count, using: &random)
            let name: String
            switch Int.random(in: 0..<13, using: &random) {
            case 0...3:
                name = "set \(field)"
                try fields[field].set(step)
                model.set(field, step)
            case 4:
                name = "begin"
                undo.beginUndoGrouping()
                model.begin()
            case 5, 6:
                name = "end"
                if model.open.isEmpty { continue }
                try undo.endUndoGrouping()
                model.close()
            case 7, 8:
                name = "end of event"
                undo.endEvent()
                model.endEvent()
            case 9, 10:
                name = "undo"
                if model.open.count > 1 { continue }
                try undo.undo()
                model.undo()
            case 11:
                name = "redo"
                try undo.redo()
                model.redo()
            default:
                name = "remove \(field)"
                undo.removeAllActions(withTarget: fields[field])
                model.remove(field)
            }
            let state = model.describe(canUndo: model.canUndo, canRedo: !model.redoable.isEmpty)
            let seen =
                "\(fields.map(\.value)) \(undo.groupingLevel) \(undo.canUndo) \(undo.canRedo)"
            try #require(seen == state, "seed \(seed), step \(step): \(name)")
        }
    }
}

/// The rules of an undo manager over lists of steps.
private struct ListOfSteps {
    struct Step {
        var isEvent = false
        var parts: [Part] = []

        var hasActions: Bool {
            parts.contains { part in
                switch part {
                case .action: true
                case .step(let step): step.hasActions
                }
            }
        }

        /// The actions from the last to the first.
        var reversed: [(target: Int, old: Int)] {
            parts.reversed().flatMap { part in
                switch part {
                case .action(let target, let old): [(target, old)]
                case .step(let step): step.reversed
                }
            }
        }

        /// What is left without a target; `nil` if its last action is gone.
        func without(_ target: Int) -> Step? {
            if !hasActions { return self }
            var rest = self
            rest.parts = parts.compactMap { part in
                switch part {
                case .action(target, _): nil
                case .action: part
                case .step(let step): step.without(target).map { .step($0) }
                }
            }
            return rest.hasActions ? rest : nil
        }
    }

    enum Part {
        case action(target: Int, old: Int)
        indirect case step(Step)
    }

    private var values: [Int]
    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []
    private(set) var open: [Step] = []

    init(count: Int) { values = Array(repeating: 0, count: count) }

    var canUndo: Bool { !undoable.isEmpty || open.contains { !$0.parts.isEmpty } }

    func describe(canUndo: Bool, canRedo: Bool) -> String {
        "\(values) \(open.count) \(canUndo) \(canRedo)"
    }

    mutating func set(_ target: Int, _ value: Int) {
        if open.isEmpty { open.append(Step(isEvent: true)) }
        open[open.count - 1].parts.append(.action(target: target, old: values[target]))
        values[target] = value
        redoable = []
    }

    mutating func begin() {
        if open.isEmpty { open.append(Step(isEvent: true)) }
        open.append(Step())
    }

    mutating func close() {
        let step = open.removeLast()
        if !open.isEmpty {
            open[open.count - 1].parts.append(.step(step))
        } else if !step.isEvent || !step.parts.isEmpty {
            undoable.append(step)
        }
    }

    mutating func endEvent() { if open.count == 1, open[0].isEvent { close() } }

    mutating func undo() {
        if open.count == 1 { close() }
        guard let step = undoable.popLast() else { return }
        if let inverse = perform(step) { redoable.append(inverse) }
    }

    mutating func redo() {
        guard let step = redoable.popLast(), let inverse = perform(step) else { return }
        if open.isEmpty {
            undoable.append(inverse)
        } else {
            open[open.count - 1].parts.append(.step(inverse))
        }
    }

    private mutating func perform(_ step: Step) -> Step? {
        var inverse = Step()
        for (target, old) in step.reversed {
            inverse.parts.append(.action(target: target, old: values[target]))
            values[target] = old
        }
        return inverse
    }

    mutating func remove(_ target: Int) {
        undoable = undoable.compactMap { $0.without(target) }
        redoable = redoable.compactMap { $0.without(target) }
        for index in open.indices {
            open[index].parts = open[index].parts.compactMap { part in
                switch part {
                case .action(target, _): nil
                case .action: part
                case .step(let step): step.without(target).map { .step($0) }
                }
            }
        }
    }
}
