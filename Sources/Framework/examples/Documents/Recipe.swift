import ObjectGraph

/// What the document of the example consists of.
final class Recipe: ManagedObject {
    @Managed(rules: [.minimumLength(1)]) var title: String
    @Managed var servings: Int = 4
    @Managed(inverse: \.recipe) var steps: [Step]
}

/// One line of a recipe, in its order.
final class Step: ManagedObject {
    @Managed var text: String
    @Managed var recipe: Recipe?
}
