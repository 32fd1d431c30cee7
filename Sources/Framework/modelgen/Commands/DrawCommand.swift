import ArgumentParser
import Foundation
import ObjectModelFile

struct DrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draw a model as text, or as a picture (SVG).",
        discussion: "modelgen draw Docket.xcdatamodeld --svg --output docket.svg"
    )

    @OptionGroup var source: ModelArgument
    @Flag(help: "Draw boxes and lines as SVG.") var svg = false
    @Option(help: "The file to write. (default: standard output)", completion: .file())
    var output: String?

    func run() throws {
        let (_, _, file) = try source.read()
        let text = svg ? ModelDiagram(file.model).svg : ModelOutline(file.model).text + "\n"
        if let output {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } else {
            print(text, terminator: "")
        }
    }
}
