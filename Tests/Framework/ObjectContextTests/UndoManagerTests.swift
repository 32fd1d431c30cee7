import ObjectContext
import ObjectModel
import SeededRandom
import Testing

/// A value that registers the inverse of each change, as every user of an undo manager does.
private final class Counter {
    private(set) var value = 0
    let undo: UndoManager

    init(_ undo: UndoManager) { self.undo = undo }

    func set(_ new: Int) throws {
        let old = value
        try undo.registerUndo(withTarget: self) { try $0.set(old) }
        value = new
    }
}

/// Collects the names of what a manager posts.
private final class Log {
    var names: [String] = []

    init(_ undo: UndoManager) {
        _ = undo.notificationCenter.addObserver(named: nil, from: undo) { [weak self] in
            self?.names.append($0.name.rawValue.replacing("UndoManager", with: ""))
        }
    }

    func take() -> [String] {
        defer { names = [] }
        return names
    }
}

@Suite struct UndoManagerTests {
    private let undo = UndoManager(notificationCenter: GraphNotificationCenter())
    private let counter: Counter

    init() { counter = Counter(undo) }

    private func isMisuse(_ error: any Error) -> Bool {
        (error as? ObjectGraphError)?.code == .undoState
    }

    @Test func eventsAreSeparateSteps() throws {
        for value in 1...3 {
            try undo.event {
                try counter.set(value)
                try counter.set(value * 10)
            }
        }
        try undo.undo()
        #expect(counter.value == 20)
        try undo.undo()
        #expect(counter.value == 10)
        try undo.redo()
        #expect(counter.value == 20)
    }

    @Test func groupMaySpanEvents() throws {
        undo.beginUndoGrouping()
        try counter.set(1)
        undo.endEvent()
        #expect(undo.groupingLevel == 2)
        try counter.set(2)
        try undo.endUndoGrouping()
        undo.endEvent()
        #expect(undo.groupingLevel == 0)
        try undo.undo()
        #expect(counter.value == 0)
    }

    @Test func eventInAnotherModeDoesNotEndTheGroup() throws {
        try counter.set(1)
        undo.endEvent(inMode: "modal")
        #expect(undo.groupingLevel == 1)
        undo.runLoopModes.append("modal")
        undo.endEvent(inMode: "modal")
        #expect(undo.groupingLevel == 0)
    }

    @Test func newRegistrationForgetsRedo() throws {
        try undo.event { try counter.set(1) }
        try undo.undo()
        #expect(undo.canRedo)
        undo.beginUndoGrouping()
        #expect(undo.canRedo)
        try counter.set(5)
        #expect(!undo.canRedo)
    }

    @Test func disabledRegistrationIsIgnored() throws {
        undo.groupsByEvent = false
        undo.disableUndoRegistration()
        try counter.set(1)
        try undo.enableUndoRegistration()
        #expect(!undo.canUndo)
        #expect(throws: ObjectGraphError.self) { try undo.enableUndoRegistration() }
    }

    @Test func undoWithOpenNestedGroupThrows() throws {
        undo.beginUndoGrouping()
        try counter.set(1)
        #expect { try undo.undo() } throws: { isMisuse($0) }
        #expect { try undo.undoNestedGroup() } throws: { isMisuse($0) }
        #expect(counter.value == 1)
    }

    @Test func nestedGroupOfOpenEventIsUndoneAlone() throws {
        try undo.group { try counter.set(1) }
        try undo.group { try counter.set(2) }
        #expect(undo.groupingLevel == 1)
        try undo.undoNestedGroup()
        #expect(counter.value == 1)
        #expect(undo.groupingLevel == 1)
        try undo.redo()
        #expect(counter.value == 2)
        try undo.undo()
        #expect(counter.value == 0)
    }

    @Test func undoNestedGroupTakesBackAnEventWithoutGroups() throws {
        try undo.event { try counter.set(1) }
        try counter.set(2)
        try undo.undoNestedGroup()
        #expect(counter.value == 1)
        try undo.undoNestedGroup()
        #expect(counter.value == 0)
        try undo.undoNestedGroup()
        #expect(counter.value == 0)
    }

    @Test func undoInsideUndoThrows() throws {
        var thrown: (any Error)?
        try undo.registerUndo(withTarget: counter) { [undo] _ in
            do { try undo.redo() } catch { thrown = error }
        }
        try undo.undo()
        #expect(thrown.map(isMisuse) == true)
    }

    @Test func failedUndoLeavesAllAsBefore() throws {
        struct Refusal: Error {}
        try undo.event {
            try counter.set(1)
            try undo.registerUndo(withTarget: counter) { _ in throw Refusal() }
            try counter.set(2)
        }
        #expect(throws: Refusal.self) { try undo.undo() }
        #expect(counter.value == 2)
        #expect(undo.canUndo && !undo.canRedo && !undo.isUndoing && undo.groupingLevel == 0)
        #expect(undo.isUndoRegistrationEnabled)
    }

    @Test func deadTargetIsSkipped() throws {
        try undo.event {
            try counter.set(1)
            let other = Counter(undo)
            try other.set(9)
        }
        try undo.undo()
        #expect(counter.value == 0)
    }

    @Test func levelsDropTheOldestAtOnce() throws {
        for value in 1...5 { try undo.event { try counter.set(value) } }
        undo.levelsOfUndo = 2
        while undo.canUndo { try undo.undo() }
        #expect(counter.value == 3)
        while undo.canRedo { try undo.redo() }
        #expect(counter.value == 5)
    }

    @Test func removingATargetRemovesItsGroups() throws {
        let other = Counter(undo)
        try undo.event { try counter.set(1) }
        try undo.event { try undo.group { try other.set(1) } }
        undo.removeAllActions(withTarget: other)
        try undo.undo()
        #expect(counter.value == 0)
        #expect(other.value == 1)
        #expect(!undo.canUndo)
        undo.removeAllActions()
        #expect(!undo.canRedo)
    }

    @Test func removingAllKeepsRegistrationDisabled() throws {
        try counter.set(1)
        undo.disableUndoRegistration()
        undo.removeAllActions()
        #expect(!undo.canUndo && !undo.isUndoRegistrationEnabled)
    }

    @Test func namesFollowUndoAndRedo() throws {
        #expect(undo.undoMenuItemTitle == "Undo")
        try undo.event {
            try counter.set(1)
            undo.setActionName("Complete")
            #expect(undo.undoMenuItemTitle == "Undo Complete")
        }
        undo.setActionUserInfoValue(7, forKey: "row")
        try undo.undo()
        #expect(undo.redoMenuItemTitle == "Redo Complete")
        #expect(undo.undoMenuItemTitle == "Undo")
        #expect(undo.redoActionUserInfoValue(forKey: "row") as? Int == 7)
        try undo.redo()
        #expect(undo.undoActionName == "Complete")
        #expect(undo.undoActionUserInfoValue(forKey: "row") as? Int == 7)
        undo.setActionName("")
        #expect(undo.undoMenuItemTitle == "Undo")
    }

    @Test func eventShowsTheNameOfItsGroup() throws {
        try undo.event {
            try undo.group(named: "Edit Task") {
                try undo.group(named: "Set Due") { try counter.set(1) }
            }
        }
        #expect(undo.undoActionName == "Edit Task")
    }

    @Test func groupOfDiscardableActionsIsDiscardable() throws {
        try undo.event {
            try counter.set(1)
            undo.setActionIsDiscardable(true)
        }
        #expect(undo.undoActionIsDiscardable)
        try undo.undo()
        #expect(undo.redoActionIsDiscardable)
        try undo.redo()
        #expect(undo.undoActionIsDiscardable)
        try undo.event {
            try counter.set(2)
            undo.setActionIsDiscardable(true)
            try counter.set(3)
        }
        #expect(!undo.undoActionIsDiscardable)
    }

    @Test func invocationFormRegisters() throws {
        try undo.prepare(withInvocationTarget: counter) { try $0.set(4) }
        let inverse = undo.prepare(withInvocationTarget: counter)
        try inverse { try $0.set(3) }
        try undo.undo()
        #expect(counter.value == 4)
        try undo.redo()
        #expect(counter.value == 0)
    }

    @Test func notificationsComeInOrder() throws {
        let log = Log(undo)
        undo.beginUndoGrouping()
        #expect(log.take() == ["DidOpenUndoGroup", "Checkpoint", "DidOpenUndoGroup"])
        try counter.set(1)
        #expect(log.take() == [])
        let closing = ["Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup"]
        try undo.endUndoGrouping()
        #expect(log.take() == closing)
        try undo.undo()
        #expect(log.take() == closing + ["Checkpoint", "WillUndoChange", "DidUndoChange"])
        try undo.redo()
        #expect(log.take() == ["Checkpoint", "WillRedoChange", "DidRedoChange"])
        _ = undo.canRedo
        #expect(log.take() == ["Checkpoint"])
        undo.removeAllActions()
        try undo.undo()
        #expect(log.take() == ["Checkpoint"])
    }

    @Test func changePendingAtTheCheckpointIsUndone() throws {
        var pending = true
        _ = undo.notificationCenter.addObserver(of: UndoManager.Checkpoint.self, from: undo) {
            [counter] _ in
            guard pending else { return }
            pending = false
            try? counter.set(1)
        }
        try undo.undo()
        #expect(counter.value == 0)
        try undo.redo()
        #expect(counter.value == 1)
    }

    @Test(arguments: SeededRandom.seeds(8))
    func undoingAllRestoresTheStartAndRedoingAllTheEnd(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let counters = (0..<3).map { _ in Counter(undo) }
        undo.groupsByEvent = Bool.random(using: &random)
        var states = [counters.map(\.value)]
        for step in 1...40 {
            try undo.group {
                // One edit at least, so that what an undo before it left to redo is forgotten.
                try counters[0].set(Int.random(in: 0..<1000, using: &random))
                try edit(counters, depth: 0, &random)
            }
            undo.endEvent()
            states.append(counters.map(\.value))
            // The last step stays, so that nothing older is left to redo.
            while step < 40, states.count > 1, Int.random(in: 0..<4, using: &random) == 0 {
                try undo.undo()
                states.removeLast()
                #expect(counters.map(\.value) == states.last, "seed \(seed)")
            }
        }
        for state in states.dropLast().reversed() {
            try undo.undo()
            #expect(counters.map(\.value) == state, "seed \(seed)")
        }
        #expect(!undo.canUndo, "seed \(seed)")
        for state in states.dropFirst() {
            try undo.redo()
            #expect(counters.map(\.value) == state, "seed \(seed)")
        }
        #expect(!undo.canRedo, "seed \(seed)")
    }

    private func edit(_ counters: [Counter], depth: Int, _ random: inout SeededRandom) throws {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if depth < 4, Bool.random(using: &random) {
                undo.beginUndoGrouping()
                try edit(counters, depth: depth + 1, &random)
                try undo.endUndoGrouping()
            } else {
                let counter = counters[Int.random(in: 0..<counters.count, using: &random)]
                try counter.set(Int.random(in: 0..<1000, using: &random))
            }
        }
    }
}
