import Graph
import MIDI
import Sequencer
import SoundFontUnit
import UnitAPI
import Units

/// Makes the instruments that play a song, one per port, and knows what the song's presets became.
struct InstrumentBank {
    /// What plays, as the graph names it.
    let name: String
    /// Whether each channel comes out of a bus of its own.
    let hasBusPerChannel: Bool
    /// The files in use, in the order they were named; a later one lies on top.
    let soundFonts: [String]
    /// The same as names that find them again from anywhere: absolute, with the offset of their banks.
    var lastingNames: [String] { sources.map(SoundFontSources.lastingName) }
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
        } catch { throw .unit(.resource(unit: name, reason: error.description, exitCode: error.exitCode)) }
    }

    /// Makes the instrument of a port; a SoundFont loads the presets that the port's notes need, and no others.
    func makeInstrument(
        port: Int, name: String, setup: UnitSetup, settings: StartSettings
    ) throws(GraphError) -> UnitInstance {
        var setup = setup
        do throws(ParameterError) {
            if hasBusPerChannel {
                setup.properties = SoundFontUnit.properties(sources, playing: scans.map { $0[port] ?? PresetScan() })
                let specs = SoundFontUnit.Parameter.allCases.map(\.spec)
                setup.startValues = try settings.values(name: name, type: self.name, specs: specs)
            } else {
                let specs = SquareWave.Parameter.allCases.map(\.spec)
                setup.startValues = try settings.values(name: name, type: self.name, specs: specs)
            }
        } catch { throw .parameter(error) }
        do throws(UnitError) {
            return hasBusPerChannel
                ? try UnitInstance.make(SoundFontUnit.self, setup) : try UnitInstance.make(SquareWave.self, setup)
        } catch { throw .unit(error) }
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
