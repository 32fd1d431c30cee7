package import ObjectGraph

/// The objects of the entity SeedVersion; its properties are in `SeedVersion+Properties.swift`.
package final class SeedVersion: ManagedObject {}
