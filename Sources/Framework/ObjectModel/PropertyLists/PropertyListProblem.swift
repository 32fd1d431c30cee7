/// What is wrong with a property list, as the rest of a sentence: `it was cut off`.
package struct PropertyListProblem: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) { self.description = description }
}
