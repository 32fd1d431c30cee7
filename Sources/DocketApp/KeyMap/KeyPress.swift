import TerminalUI

/// A key that was pressed, where the name `Key` would also mean a model's property.
typealias KeyPress = TerminalUI.Key
