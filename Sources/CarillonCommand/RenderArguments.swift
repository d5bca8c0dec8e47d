import ArgumentParser
import AudioFiles
import Carillon

/// `--instrument`.
enum InstrumentName: String, CaseIterable, ExpressibleByArgument {
    case soundfont
    case squareWave = "square-wave"
}

/// `--bits`.
enum BitsName: String, CaseIterable, ExpressibleByArgument {
    case int16 = "16", int24 = "24", float32 = "32f"

    var encoding: AudioFileFormat.Encoding {
        switch self {
        case .int16: .int16
        case .int24: .int24
        case .float32: .float32
        }
    }
}

/// `--tail`: a word or a duration.
struct TailOption: CustomStringConvertible {
    let tail: RenderOptions.Tail
    /// As it was written.
    let description: String
    static let auto = TailOption(tail: .auto, description: "auto")

    private init(tail: RenderOptions.Tail, description: String) { (self.tail, self.description) = (tail, description) }

    init(_ text: String) throws(ParameterError) {
        description = text
        switch text {
        case "auto": tail = .auto
        case "exact": tail = .exact
        default:
            let spec = EngineSetting.tail.spec
            do { tail = .seconds(try spec.number(text)) } catch .notANumber(let name, let text, let valid) {
                throw .notANumber(parameter: name, text: text, valid: "auto, exact or \(valid)")
            }
        }
    }
}
