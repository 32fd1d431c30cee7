import CaseFiles
import Foundation
import ObjectContext
import ObjectModel
import Testing

/// Runs the scripts of `undo.json`.
///
/// All of them pass: there is no case in which we differ on purpose.
@Suite(.enabled(if: CaseFiles.has("undo.json"), "there is no undo.json"))
struct UndoConformance {
    @Test func casesPass() throws {
        let json = try JSONSerialization.jsonObject(with: CaseFiles.data("undo.json"))
        let cases = try #require(json as? [[String: Any]])
        var failing: [String] = []
        for one in cases {
            let id = one["id"] as? String ?? "?"
            do {
                try Script(one).run()
            } catch {
                failing.append(id)
                Issue.record("\(id): \(error)")
            }
        }
        let passed = cases.count - failing.count
        let list = failing.isEmpty ? "none" : failing.joined(separator: ", ")
        print("conformance undo.json \(passed)/\(cases.count) failing: \(list)")
        #expect(!cases.isEmpty)
    }
}

private struct Mismatch: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A part of a case as the kind that it has to be; another one is not mapped.
private func part<Kind>(_ json: [String: Any], _ key: String, as kind: Kind.Type) throws -> Kind {
    guard let part = json[key] as? Kind else {
        throw Mismatch("\(key) is not mapped: \(json[key] ?? "none")")
    }
    return part
}

private func expectKeys(_ json: [String: Any], _ known: Set<String>) throws {
    let unknown = Set(json.keys).subtracting(known)
    if !unknown.isEmpty { throw Mismatch("not mapped: \(unknown.sorted())") }
}

/// A holder of one value, whose setter registers its inverse.
private final class Holder {
    var value: NSObject

    init(_ value: NSObject) { self.value = value }

    func set(_ new: NSObject, _ undo: UndoManager) throws {
        let old = value
        try undo.registerUndo(withTarget: self) { try $0.set(old, undo) }
        value = new
    }
}

/// One case: targets, and steps that act or check.
private final class Script {
    private let undo = UndoManager(notificationCenter: GraphNotificationCenter())
    private let steps: [[String: Any]]
    private var holders: [String: Holder] = [:]
    private var posted: [String] = []
    /// The target of actions for which a case names none.
    private let inside = Holder(NSNull())

    init(_ json: [String: Any]) throws {
        try expectKeys(json, ["id", "source", "note", "targets", "groupsByEvent", "steps"])
        steps = try part(json, "steps", as: [[String: Any]].self)
        undo.groupsByEvent = try part(json, "groupsByEvent", as: Bool.self)
        for (name, value) in try part(json, "targets", as: [String: Any].self) {
            holders[name] = Holder(try object(value))
        }
        _ = undo.notificationCenter.addObserver(named: nil, from: undo) { [weak self] in
            self?.posted.append($0.name.rawValue.replacing("UndoManager", with: ""))
        }
    }

    func run() throws {
        for (index, step) in steps.enumerated() {
            do {
                try run(step)
            } catch {
                throw Mismatch("step \(index + 1): \(error)")
            }
        }
    }

    private func object(_ value: Any?) throws -> NSObject {
        guard let value else { return NSNull() }
        if let object = value as? NSObject { return object }
        if let text = value as? String { return NSString(string: text) }
        throw Mismatch("a value of unknown kind: \(value)")
    }

    private func holder(_ step: [String: Any]) throws -> Holder {
        guard let holder = holders[step["target"] as? String ?? ""] else {
            throw Mismatch("no such target")
        }
        return holder
    }

    private func run(_ step: [String: Any]) throws {
        if step["check"] != nil {
            try expectKeys(step, ["check", "note"])
            let checks = try part(step, "check", as: [String: Any].self)
            for key in checks.keys { try check(key, checks) }
            return
        }
        try expectKeys(step, ["op", "target", "value", "steps", "step", "posts", "note"])
        let before = posted.count
        try act(try part(step, "op", as: String.self), step)
        if step["posts"] != nil {
            let expected = try part(step, "posts", as: [String].self)
            // Only the kinds that the case speaks of count; it may not know the others.
            let seen = posted[before...].filter { expected.contains($0) }
            if seen != expected { throw Mismatch("posted \(seen), expected \(expected)") }
        }
    }

    private func act(_ name: String, _ step: [String: Any]) throws {
        switch name {
        case "set": try holder(step).set(try object(step["value"]), undo)
        case "append":
            let holder = try holder(step)
            let members = (holder.value as? NSArray).map(Array.init) ?? []
            try holder.set(NSArray(array: members + [try object(step["value"])]), undo)
        case "inside":
            // Steps that run while an action is undone or redone.
            let steps = try part(step, "steps", as: [[String: Any]].self)
            let target = step["target"] == nil ? inside : try holder(step)
            try undo.registerUndo(withTarget: target) { [unowned self] _ in
                for inner in steps { try run(inner) }
            }
        case "group":
            undo.beginUndoGrouping()
            for inner in try part(step, "steps", as: [[String: Any]].self) { try run(inner) }
            try undo.endUndoGrouping()
        case "undo": try undo.undo()
        case "redo": try undo.redo()
        case "undoNestedGroup": try undo.undoNestedGroup()
        case "beginUndoGrouping": undo.beginUndoGrouping()
        case "endUndoGrouping": try undo.endUndoGrouping()
        case "endEvent", "endOfEvent": undo.endEvent()
        case "setLevelsOfUndo": undo.levelsOfUndo = try part(step, "value", as: Int.self)
        case "setGroupsByEvent": undo.groupsByEvent = try part(step, "value", as: Bool.self)
        case "disable": undo.disableUndoRegistration()
        case "enable": try undo.enableUndoRegistration()
        case "setActionName": undo.setActionName(try part(step, "value", as: String.self))
        case "setActionIsDiscardable":
            undo.setActionIsDiscardable(try part(step, "value", as: Bool.self))
        case "removeAllActions": undo.removeAllActions()
        case "removeAllActionsWithTarget": undo.removeAllActions(withTarget: try holder(step))
        case "throws":
            let inner = try part(step, "step", as: [String: Any].self)
            do {
                try run(inner)
            } catch let error as ObjectGraphError where error.code == .undoState {
                return
            }
            throw Mismatch("\(inner["op"] ?? "?") did not throw")
        default: throw Mismatch("unknown step \(name)")
        }
    }

    private func check(_ key: String, _ checks: [String: Any]) throws {
        switch key {
        case "value":
            for (name, value) in try part(checks, key, as: [String: Any].self) {
                let seen = holders[name]?.value
                let wanted = try object(value)
                if seen != wanted { throw Mismatch("\(name) is \(seen as Any), not \(wanted)") }
            }
        case "notificationCount":
            for (name, count) in try part(checks, key, as: [String: Int].self) {
                try compare(name, posted.count { $0 == name }, count)
            }
        case "undoMenuTitleFor", "redoMenuTitleFor":
            for pair in try part(checks, key, as: [[Any]].self) {
                let name = pair.first as? String
                if pair.count != 2 || (name == nil && !(pair[0] is NSNull)) {
                    throw Mismatch("\(key) is not mapped: \(pair)")
                }
                let title =
                    key == "undoMenuTitleFor"
                    ? undo.undoMenuTitle(forUndoActionName: name)
                    : undo.redoMenuTitle(forUndoActionName: name)
                try compare(key, title, pair[1] as? String)
            }
        default:
            guard let seen = state(key) else { throw Mismatch("unknown check \(key)") }
            let wanted = try object(checks[key])
            if seen != wanted { throw Mismatch("\(key) is \(seen), not \(wanted)") }
        }
    }

    private func compare<T: Equatable>(_ key: String, _ seen: T, _ wanted: T?) throws {
        if seen != wanted { throw Mismatch("\(key) is \(seen), not \(wanted as Any)") }
    }

    private func state(_ key: String) -> NSObject? {
        switch key {
        case "canUndo": NSNumber(value: undo.canUndo)
        case "canRedo": NSNumber(value: undo.canRedo)
        case "isUndoing": NSNumber(value: undo.isUndoing)
        case "isRedoing": NSNumber(value: undo.isRedoing)
        case "groupsByEvent": NSNumber(value: undo.groupsByEvent)
        case "groupingLevel": NSNumber(value: undo.groupingLevel)
        case "levelsOfUndo": NSNumber(value: undo.levelsOfUndo)
        case "isUndoRegistrationEnabled": NSNumber(value: undo.isUndoRegistrationEnabled)
        case "undoActionIsDiscardable": NSNumber(value: undo.undoActionIsDiscardable)
        case "redoActionIsDiscardable": NSNumber(value: undo.redoActionIsDiscardable)
        case "undoActionName": NSString(string: undo.undoActionName)
        case "redoActionName": NSString(string: undo.redoActionName)
        case "undoMenuItemTitle": NSString(string: undo.undoMenuItemTitle)
        case "redoMenuItemTitle": NSString(string: undo.redoMenuItemTitle)
        default: nil
        }
    }
}
