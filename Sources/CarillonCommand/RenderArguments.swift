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

/// `--tail`: a word, or seconds with or without their unit.
struct TailOption: ExpressibleByArgument {
    let tail: RenderOptions.Tail
    static let auto = TailOption(tail: .auto)

    private init(tail: RenderOptions.Tail) { self.tail = tail }

    init?(argument: String) {
        switch argument {
        case "auto": tail = .auto
        case "exact": tail = .exact
        default:
            var text = argument[...]
            if text.hasSuffix("s") { text = text.dropLast() }
            guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else { return nil }
            tail = .seconds(seconds)
        }
    }

    var defaultValueDescription: String { "auto" }
}
