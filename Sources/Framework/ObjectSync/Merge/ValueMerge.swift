import FoundationEssentials

// Three-way merge of one property:
//   1. a side that has the base's value has not changed it; the other side's value counts;
//   2. sets, lists and texts are merged by element and line;
//   3. what both have changed differently is the later one's, and the other value is kept.
// The result does not depend on which side is "ours", so two replicas that merge the same three
// values agree.

/// How two changes of one property are merged.
public enum MergeRule: Hashable, Sendable {
    /// As a whole: the later value wins, the other one is kept as a conflict. Ranks too.
    case value
    /// As a whole, for what nobody compares, such as ranks and times of creation: the later value
    /// wins; the other one is kept only if one side has removed the value.
    case latest
    /// By line; where both have changed the same lines, the later one's lines win.
    case text
    /// By element, without conflicts: what one side has added or removed is added or removed.
    case set
    /// As a set, in the order of the side that has changed the order, the later one if both have.
    case list
}

/// The result of merging one property.
public struct ValueMerge: Hashable, Sendable {
    /// The value that both sides are to have.
    public var merged: StampedValue
    /// If both sides have changed the same: the value as it would be if the other side had won.
    public var loser: StampedValue?
    /// Whether the losing side is ours; meaningless without ``loser``.
    public var isLoserOurs = false

    /// How much later a value is than the one from which it was made, at least.
    static let step = 0.001

    /// Merges two changes of a property.
    ///
    /// - Parameters:
    ///   - base: the value from which both sides started.
    ///   - ours: the value here, and when it was set.
    ///   - theirs: the value there, and when it was set.
    ///   - rule: how changes of both sides are joined.
    /// - Complexity: O(elements); for texts O(lines × differences).
    public init(
        base: SyncValue,
        ours: StampedValue,
        theirs: StampedValue,
        rule: MergeRule
    ) {
        if ours.value == theirs.value {
            merged = StampedValue(ours.value, max(ours.stamp, theirs.stamp))
            return
        }
        if ours.value == base {
            merged = theirs
            return
        }
        if theirs.value == base {
            merged = ours
            return
        }
        let isOursLater = ours.isLater(than: theirs)
        let (winner, other) = isOursLater ? (ours, theirs) : (theirs, ours)
        switch rule {
        case .value: (merged, loser) = (winner, other)
        case .latest:
            merged = winner
            if winner.value == .null || other.value == .null { loser = other }
        case .text:
            let texts = [base, winner.value, other.value].map { value -> String? in
                if case .string(let text) = value { text } else { value == .null ? "" : nil }
            }
            guard let old = texts[0], let first = texts[1], let second = texts[2] else {
                (merged, loser) = (winner, other)
                break
            }
            let merge = TextMerge(base: old, winner: first, other: second)
            merged = StampedValue(.string(merge.text), winner.stamp)
            if let lost = merge.losing { loser = StampedValue(.string(lost), other.stamp) }
        case .set:
            let members = ValueMerge.members(base, winner.value, other.value)
            merged = StampedValue(.set(members), winner.stamp)
        case .list:
            let members = ValueMerge.members(base, winner.value, other.value)
            let order = ValueMerge.order(members, base.elements, winner.value, other.value)
            merged = StampedValue(.list(order), winner.stamp)
        }
        // A value that neither side had is later than both.
        if merged.value != winner.value { merged.stamp += ValueMerge.step }
        isLoserOurs = loser != nil && !isOursLater
    }

    /// The union of two sets without what either has removed.
    private static func members(
        _ base: SyncValue,
        _ first: SyncValue,
        _ second: SyncValue
    ) -> Set<SyncValue> {
        let (old, first) = (Set(base.elements), Set(first.elements))
        let second = Set(second.elements)
        return first.union(second).filter {
            old.contains($0) ? first.contains($0) && second.contains($0) : true
        }
    }

    /// Puts members in the order of one side; the others follow what they follow on their side.
    private static func order(
        _ members: Set<SyncValue>,
        _ base: [SyncValue],
        _ winner: SyncValue,
        _ other: SyncValue
    ) -> [SyncValue] {
        // A side that has only added and removed has not changed the order.
        func isMoved(_ list: [SyncValue]) -> Bool {
            let (old, new) = (Set(base), Set(list))
            return base.filter(new.contains) != list.filter(old.contains)
        }
        let leads = isMoved(winner.elements) || !isMoved(other.elements)
        let leading = leads ? winner.elements : other.elements
        let following = leads ? other.elements : winner.elements
        var result = leading.filter(members.contains)
        var placed = Set(result)
        var place = 0
        for element in following where members.contains(element) {
            if placed.insert(element).inserted {
                result.insert(element, at: place)
                place += 1
            } else if let index = result.firstIndex(of: element) {
                place = index + 1
            }
        }
        return result
    }
}
