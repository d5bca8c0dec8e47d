import ArgumentParser
import AudioFiles
import Carillon
import DSP

/// `--bits`.
enum BitsName: String, SettingWord, ExpressibleByArgument {
    case int16 = "16"
    case int24 = "24"
    case float32 = "32f"

    var encoding: AudioFileFormat.Encoding {
        switch self {
        case .int16: .int16
        case .int24: .int24
        case .float32: .float32
        }
    }
}

/// `--layout`.
struct LayoutName {
    let layout: SpeakerLayout

    init(_ text: String) throws {
        guard let layout = SpeakerLayout(named: text) else {
            throw SettingError("no layout is called \(text); choose one of \(SpeakerLayout.names.joined(separator: ", "))")
        }
        self.layout = layout
    }
}
