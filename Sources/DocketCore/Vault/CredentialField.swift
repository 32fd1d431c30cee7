/// A field of a credential, as verbs, forms and the command line name it.
package enum CredentialField: String, CaseIterable, Sendable {
    case name, user, password, address, category, notes

    /// What people call it.
    package var title: String {
        switch self {
        case .name: "Name"
        case .user: "User id"
        case .password: "Password"
        case .address: "Address"
        case .category: "Category"
        case .notes: "Notes"
        }
    }
}

extension CredentialRecord {
    /// The value of a field; extra fields are not part of any.
    package subscript(field: CredentialField) -> String {
        get {
            switch field {
            case .name: name
            case .user: userID
            case .password: password
            case .address: address
            case .category: category
            case .notes: notes
            }
        }
        set {
            switch field {
            case .name: name = newValue
            case .user: userID = newValue
            case .password: password = newValue
            case .address: address = newValue
            case .category: category = newValue
            case .notes: notes = newValue
            }
        }
    }

    /// The record as the vault keeps it: names in one line without control characters, notes with
    /// the extra fields at their end, a password as it is.
    var cleaned: CredentialRecord {
        var record = self
        for field in CredentialField.allCases where field != .password && field != .notes {
            record[field] = CaptureText.cleanLine(self[field]).trimmingSpace
        }
        var lines = notes.isEmpty ? [] : [notes]
        lines += extraFields.map { "\($0.name): \($0.value)" }
        record.notes = CaptureText.cleanText(lines.joined(separator: "\n"))
        record.extraFields = []
        return record
    }
}
