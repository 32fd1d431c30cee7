public import FoundationEssentials
public import ObjectModel

/// A condition on objects of one class, checked by the compiler.
///
///     let early: Condition<Book> = \.year < 1816
///     let janes = Condition<Book> { $0.author.name.beginsWith("jane", .c) }
///     let books = try Book.all(in: context, where: early && !janes)
///
/// A condition on books given to a request for authors does not compile.
public struct Condition<Root: ManagedObject>: Hashable {
    /// The same without the class, equal to what the parser makes of its format.
    public let predicate: FetchPredicate

    /// A predicate as a condition on a class, which a request checks when it is made.
    ///
    ///     let condition = Condition<Book>(try FetchPredicate(format: text))
    public init(_ predicate: FetchPredicate) { self.predicate = predicate }

    /// A condition written about the object.
    ///
    ///     Condition<Book> { book in book.author.books.any { $0.year < book.year } }
    public init(_ body: (PropertyPath<Root, Root>) -> Condition<Root>) {
        self.init(body(PropertyPath(.closureObject)).predicate.withObjectOfClosure)
    }

    /// A predicate of Foundation, as `#Predicate` makes it.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` that names the
    ///   part that no store can evaluate, and what to write in its place.
    public init(_ predicate: Predicate<Root>) throws {
        self.predicate = try PredicateTranslation.translate(predicate)
    }

    /// The same condition on a subclass.
    public init<Parent: ManagedObject>(inherited condition: Condition<Parent>) throws {
        guard ClassDeclaration.of(Root.self).isKind(of: Parent.self) else {
            throw ObjectGraphError(
                .invalidRequest,
                "A condition on \(Parent.self) is not one on \(Root.self), which does not inherit from"
                    + " it."
            )
        }
        predicate = condition.predicate
    }

    /// All objects, or none.
    public static func always(_ value: Bool) -> Condition { Condition(.constant(value)) }

    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(left.predicate && right.predicate)
    }

    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(left.predicate || right.predicate)
    }

    public static prefix func ! (condition: Condition) -> Condition {
        Condition(!condition.predicate)
    }
}

extension Condition: CustomStringConvertible {
    /// The format of the predicate.
    public var description: String { "\(predicate)" }
}

// A closure of a relationship's members may name the object of the closure around it, and
// conditions that were made elsewhere, which are about the member. Both begin with `SELF`, so that
// the object of a closure is a variable of its own until the closure has returned.

extension FetchExpression {
    /// The object that a closure is written about.
    static var closureObject: FetchExpression { .variable("\u{1}object") }

    /// The expression with the object of its closure as `SELF`.
    var withObjectOfClosure: FetchExpression {
        replacing { $0 == .closureObject ? .evaluatedObject : $0 }
    }
}

extension FetchPredicate {
    /// The predicate with the object of its closure as `SELF`.
    var withObjectOfClosure: FetchPredicate {
        replacing { $0 == .closureObject ? .evaluatedObject : $0 }
    }
}
