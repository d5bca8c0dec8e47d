import Graph
import MIDI
import Patch
import Sequencer
import SoundFontUnit
import UnitAPI
import Units

/// Says what instruments play a song, one per port, and knows what the song's presets became.
struct InstrumentBank {
    /// What plays, as the graph names it.
    let name: String
    /// Whether each channel comes out of a bus of its own.
    let hasBusPerChannel: Bool
    /// The files in use, in the order they were named; a later one lies on top.
    let soundFonts: [String]
    /// Why these files; nil where none plays.
    let soundFontOrigin: SoundFontLocator.Origin?
    /// Presets that were substituted or are missing, as sentences.
    let remarks: [String]
    private let sources: [SoundFontLibrary.Source]
    /// What each port plays; nil: anything, so every preset is loaded.
    private let scans: [Int: PresetScan]?

    /// Looks for SoundFonts and checks them; nothing is loaded yet. Without timelines, for a player whose wishes nobody
    /// knows, every preset will be.
    init(_ timelines: [Timeline]?, instrument: RenderOptions.Instrument) throws(GraphError) {
        guard case .soundFont(let paths) = instrument else {
            (name, hasBusPerChannel) = (SquareWave.descriptor.name, false)
            (soundFonts, soundFontOrigin, remarks, sources, scans) = ([], nil, [], [], [:])
            return
        }
        (name, hasBusPerChannel) = (SoundFontUnit.descriptor.name, true)
        do throws(SoundFontError) {
            let scans = timelines.map(Self.scan)
            (sources, soundFontOrigin) = try SoundFontSources.locate(paths)
            let choices = try SoundFontSources.choices(sources, for: scans?.values.flatMap(\.requests) ?? [])
            self.scans = scans
            soundFonts = sources.map(\.path)
            remarks = choices.filter { $0.substitution != .exact }.map(\.description)
        } catch { throw .unit(.resource(unit: name, reason: error.description, fault: error.fault)) }
    }

    /// The instrument of a port; a SoundFont loads the presets that the port's notes need, and no others.
    func unit(port: Int, name: String) -> PatchUnit {
        var unit = PatchUnit(name, self.name, role: .instrument)
        guard hasBusPerChannel else { return unit }
        let lasting = sources.map { source in
            SoundFontLibrary.Source(
                path: SoundFontSources.lastingPath(source.path), bankOffset: source.bankOffset)
        }
        unit.properties = SoundFontUnit.properties(lasting, playing: scans.map { $0[port] ?? PresetScan() })
        return unit
    }

    /// The instrument's parameters.
    var specs: [ParameterSpec] {
        hasBusPerChannel ? SoundFontUnit.Parameter.allCases.map(\.spec) : SquareWave.Parameter.allCases.map(\.spec)
    }

    /// What each port plays, by the rules that the unit itself follows.
    static func scan(_ timelines: [Timeline]) -> [Int: PresetScan] {
        var scans: [Int: PresetScan] = [:]
        for timeline in timelines {
            for timed in timeline.events { scans[Int(timed.event.port), default: PresetScan()].apply(timed.event) }
            // The next song starts from power-on.
            for port in scans.keys { scans[port]?.apply(.reset(.generalMIDIOff, port: UInt8(port))) }
        }
        return scans
    }
}

extension MusicEvent {
    /// The port that the event belongs to, 0...15.
    var port: UInt8 {
        switch self {
        case .message(let message): message.port
        case .reset(_, let port), .masterVolume(_, let port), .masterTuning(_, let port), .partMode(_, let port, _): port
        }
    }
}
