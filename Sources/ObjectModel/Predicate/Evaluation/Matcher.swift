/// A comparison with its right side in place: decides for any left side.
class Matcher {
    func matches(_ left: Value) throws -> Bool {
        preconditionFailure("a matcher without a rule")
    }
}
