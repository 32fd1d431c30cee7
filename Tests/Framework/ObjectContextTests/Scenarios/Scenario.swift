import Testing

/// Marks the test that encodes a scenario which is described elsewhere, by the scenario's ID.
///
///     @Test(.scenario("frc-sorted"))
///     func rowsWithoutSectionsAreOneSection() throws {
///
/// ``ScenarioConformance`` reads the marks from the source and prints which scenario is encoded
/// where.
struct Scenario: TestTrait {
    let ids: [String]
    /// Why the test expects something other than the scenario, where it does.
    let deviation: String?
}

extension Trait where Self == Scenario {
    static func scenario(_ ids: String..., deviation: String? = nil) -> Scenario {
        Scenario(ids: ids, deviation: deviation)
    }
}
