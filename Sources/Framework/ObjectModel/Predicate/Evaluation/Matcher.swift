/// A comparison with a fixed right side: decides for every left side.
class Matcher {
    func matches(_ left: GraphValue) throws -> Bool {
        preconditionFailure("a matcher without a rule")
    }
}
