package import TerminalUI

/// In this module a key is one of the keyboard; a model's properties are named otherwise.
package typealias Key = TerminalUI.Key
