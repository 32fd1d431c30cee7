import ObjectModel
import ObjectStore

// References and links. A repaired reference to an object that does not exist becomes nil: nobody
// could read anything there, so it is no part of the history.

extension InspectionRun {
    /// A query for the keys of an entity's rows that meet a condition on `s`.
    private func rows(_ schema: EntitySchema, _ condition: String) -> String {
        "SELECT s.Z_PK FROM \(quoted(schema.table.name)) s NOT INDEXED"
            + " WHERE s.Z_ENT IN \(numbers(schema.entity)) AND \(condition)"
    }

    /// The condition that a key column of `s` leads to no row of an entity.
    private func dangles(_ column: String, _ destination: EntitySchema) -> String {
        "s.\(quoted(column)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM"
            + " \(quoted(destination.table.name)) d WHERE d.Z_PK = s.\(quoted(column))"
            + " AND d.Z_ENT IN \(numbers(destination.entity)))"
    }

    var referenceChecks: [InspectionRule] {
        var result: [InspectionRule] = []
        for schema in schema.entities {
            for case let relationship as RelationshipDescription in schema.entity.ownSlots {
                guard
                    let destination = relationship.destination.flatMap({
                        self.schema.schema(of: $0)
                    })
                else { continue }
                if let column = schema.columns[relationship.slot] {
                    result += toOne(relationship, column, schema, destination)
                } else if case .memberKey(let column, let order, false)? =
                    schema.toMany[relationship.slot]
                {
                    result.append(memberKey(relationship, column, order, schema, destination))
                }
            }
        }
        return result
    }

    private func toOne(
        _ relationship: RelationshipDescription,
        _ column: StoredColumn,
        _ schema: EntitySchema,
        _ destination: EntitySchema
    ) -> [InspectionRule] {
        let table = quoted(schema.table.name)
        let dangling = rows(schema, dangles(column.name, destination))
        let cleared = [column.name, column.entityColumn, schema.orderColumns[relationship.slot]]
            .compactMap { $0 }.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        var result = [
            InspectionRule(
                kind: .danglingReference,
                entity: schema.entity,
                property: relationship.name,
                rows: dangling,
                message: {
                    "\(objects($0, schema.entity, ("leads", "lead"))) by \"\(relationship.name)\""
                        + " to an object that does not exist."
                },
                repair: "The reference is removed.",
                statements: [
                    "UPDATE \(table) SET \(cleared), Z_OPT = Z_OPT + 1 WHERE Z_PK IN (\(dangling))"
                ]
            )
        ]
        if let entityColumn = column.entityColumn {
            let actual =
                "(SELECT d.Z_ENT FROM \(quoted(destination.table.name)) d"
                + " WHERE d.Z_PK = s.\(quoted(column.name)))"
            let wrong = rows(
                schema,
                "s.\(quoted(column.name)) IS NOT NULL AND s.\(quoted(entityColumn)) IS NOT \(actual)"
            )
            result.append(
                InspectionRule(
                    kind: .wrongReferenceEntity,
                    entity: schema.entity,
                    property: relationship.name,
                    rows: wrong,
                    message: {
                        "\(objects($0, schema.entity, ("names", "name"))) another entity for"
                            + " \"\(relationship.name)\" than the object has."
                    },
                    repair: "The number of the entity is corrected.",
                    statements: [
                        "UPDATE \(table) AS s SET \(quoted(entityColumn)) = \(actual)"
                            + " WHERE s.Z_PK IN (\(wrong))"
                    ]
                )
            )
        }
        return result + oneToOne(relationship, column, schema, destination)
    }

    /// The other side of a one-to-one relationship leads back.
    private func oneToOne(
        _ relationship: RelationshipDescription,
        _ column: StoredColumn,
        _ schema: EntitySchema,
        _ destination: EntitySchema
    ) -> [InspectionRule] {
        guard let inverse = relationship.inverse, !inverse.isToMany,
            let owner = inverse.entity.flatMap({ self.schema.schema(of: $0) }),
            let back = owner.columns[inverse.slot]
        else { return [] }
        let unequal = rows(
            schema,
            "EXISTS (SELECT 1 FROM \(quoted(destination.table.name)) d"
                + " WHERE d.Z_PK = s.\(quoted(column.name)) AND d.\(quoted(back.name)) IS NOT s.Z_PK)"
        )
        let cleared = [column.name, column.entityColumn].compactMap { $0 }
            .map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        return [
            InspectionRule(
                kind: .unequalInverse,
                entity: schema.entity,
                property: relationship.name,
                rows: unequal,
                message: {
                    "\(objects($0, schema.entity, ("leads", "lead"))) by \"\(relationship.name)\""
                        + " to an object that does not lead back by \"\(inverse.name)\"."
                },
                repair: "The reference without a way back is removed.",
                statements: [
                    "UPDATE \(quoted(schema.table.name)) SET \(cleared), Z_OPT = Z_OPT + 1"
                        + " WHERE Z_PK IN (\(unequal))"
                ]
            )
        ]
    }

    /// The key column of a to-many relationship without inverse, in the members' rows.
    private func memberKey(
        _ relationship: RelationshipDescription,
        _ column: String,
        _ order: String?,
        _ owner: EntitySchema,
        _ member: EntitySchema
    ) -> InspectionRule {
        let dangling = rows(member, dangles(column, owner))
        let cleared = [column, order].compactMap { $0 }.map { "\(quoted($0)) = NULL" }
            .joined(separator: ", ")
        return InspectionRule(
            kind: .orphanedLink,
            entity: owner.entity,
            property: relationship.name,
            rows: dangling,
            message: {
                "\(objects($0, member.entity, ("is", "are"))) in \"\(relationship.name)\" of an"
                    + " object that does not exist."
            },
            repair: "The link is removed.",
            statements: [
                "UPDATE \(quoted(member.table.name)) SET \(cleared) WHERE Z_PK IN (\(dangling))"
            ]
        )
    }

    // MARK: Join tables

    var linkChecks: [InspectionRule] {
        var seen: Set<String> = []
        var result: [InspectionRule] = []
        for owner in schema.entities {
            for case let relationship as RelationshipDescription in owner.entity.ownSlots {
                guard case .joinTable(let side)? = owner.toMany[relationship.slot],
                    let member = relationship.destination.flatMap({ schema.schema(of: $0) }),
                    seen.insert(side.table).inserted
                else { continue }
                result += links(relationship, side, owner, member)
            }
        }
        return result
    }

    private func links(
        _ relationship: RelationshipDescription,
        _ side: JoinSide,
        _ owner: EntitySchema,
        _ member: EntitySchema
    ) -> [InspectionRule] {
        func misses(_ column: String, _ schema: EntitySchema) -> String {
            "NOT EXISTS (SELECT 1 FROM \(quoted(schema.table.name)) d"
                + " WHERE d.Z_PK = j.\(quoted(column)) AND d.Z_ENT IN \(numbers(schema.entity)))"
        }
        let table = quoted(side.table)
        let lonely = "(\(misses(side.owner, owner)) OR \(misses(side.member, member)))"
        var result = [
            InspectionRule(
                kind: .orphanedLink,
                entity: owner.entity,
                property: relationship.name,
                rows: "SELECT j.\(quoted(side.owner)) FROM \(table) j NOT INDEXED WHERE \(lonely)",
                message: {
                    "\(counted($0, "pair")) of \"\(relationship.name)\" of \(owner.entity.name)"
                        + " \($0 == 1 ? "has" : "have") a side that does not exist."
                },
                repair: "The pairs are removed.",
                statements: ["DELETE FROM \(table) AS j WHERE \(lonely)"]
            )
        ]
        if side.isReflexive {
            let (one, two) = (quoted(side.owner), quoted(side.member))
            let half =
                "FROM \(table) j NOT INDEXED WHERE NOT EXISTS (SELECT 1 FROM \(table) b"
                + " WHERE b.\(one) = j.\(two) AND b.\(two) = j.\(one)) AND NOT \(lonely)"
            result.append(
                InspectionRule(
                    kind: .unequalInverse,
                    entity: owner.entity,
                    property: relationship.name,
                    rows: "SELECT j.\(one) \(half)",
                    message: {
                        "\(counted($0, "pair")) of \"\(relationship.name)\" of \(owner.entity.name)"
                            + " \($0 == 1 ? "leads" : "lead") one way only."
                    },
                    repair: "The other way is added.",
                    statements: [
                        "INSERT OR IGNORE INTO \(table) (\(one), \(two)) SELECT j.\(two), j.\(one) \(half)"
                    ]
                )
            )
        }
        return result
    }

    // MARK: Orders

    /// Each member of an ordered relationship has a place of its own among those of its owner.
    var orderChecks: [InspectionRule] {
        var result: [InspectionRule] = []
        for owner in schema.entities {
            for case let relationship as RelationshipDescription in owner.entity.ownSlots
            where relationship.isOrdered {
                switch owner.toMany[relationship.slot] {
                case .memberKey(let key, let order?, _):
                    guard let member = relationship.destination.flatMap({ schema.schema(of: $0) })
                    else { continue }
                    result.append(
                        places(relationship, owner, member.table.name, "Z_PK", key, order)
                    )
                case .joinTable(let side):
                    guard let column = side.order else { continue }
                    result.append(
                        places(relationship, owner, side.table, "rowid", side.owner, column)
                    )
                default: continue
                }
            }
        }
        return result
    }

    private func places(
        _ relationship: RelationshipDescription,
        _ owner: EntitySchema,
        _ table: String,
        _ key: String,
        _ ownerColumn: String,
        _ orderColumn: String
    ) -> InspectionRule {
        let (name, group, place) = (quoted(table), quoted(ownerColumn), quoted(orderColumn))
        let unclear =
            "SELECT \(group) FROM \(name) NOT INDEXED WHERE \(group) IS NOT NULL"
            + " GROUP BY \(group) HAVING COUNT(DISTINCT \(place)) < COUNT(*)"
        return InspectionRule(
            kind: .missingOrder,
            entity: owner.entity,
            property: relationship.name,
            rows: unclear,
            message: {
                "\(objects($0, owner.entity, ("has", "have"))) members of"
                    + " \"\(relationship.name)\" without a place of their own."
            },
            repair: "The members get places in their present order.",
            statements: [
                "UPDATE \(name) AS t SET \(place) = n.place FROM (SELECT \(key) AS k,"
                    + " \(SparseOrder.first) + \(SparseOrder.step) * (ROW_NUMBER() OVER"
                    + " (PARTITION BY \(group) ORDER BY \(place) IS NULL, \(place), \(key)) - 1)"
                    + " AS place FROM \(name) WHERE \(group) IN (\(unclear))) n"
                    + " WHERE t.\(key) = n.k"
            ]
        )
    }
}
