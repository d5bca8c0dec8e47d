import EngineCore
import FluidSynthUnit
import Graphs
import MIDI
import Patches
import Reports
import Samplers
import SoundFonts
import UnitAPI
import Units

/// The instruments that play a song, one per port, and the presets that they found for it.
struct InstrumentBank {
    /// The name of the instrument's type, as in the graph.
    let name: String
    /// True if each channel comes out of a bus of its own.
    let hasBusPerChannel: Bool
    /// True if the channels' buses are followed by one for each channel's zones to the reverb, and one to the chorus.
    let hasSends: Bool
    let specs: [ParameterSpec]
    /// The files in use, in the order they were named; a later one lies on top.
    package let soundFonts: [String]
    /// The reason for these files; nil if none plays.
    let soundFontOrigin: SoundFontLocator.Origin?
    /// Presets that were substituted or are missing, and faults of those that play.
    let remarks: [Remark]
    /// The SoundFont of the song, if it is played; it lies on top of the files.
    let songBank: SongBank?
    package let names: SoundNames
    private let sources: [SoundFontLibrary.Source]
    /// The presets that each port plays; nil means any, so every preset is loaded.
    private let scans: [Int: PresetScan]?

    /// Looks for SoundFonts and checks them; nothing is loaded yet. Without a demand, for a player whose presets are not known
    /// in advance, every preset will be loaded.
    /// `bank` is the SoundFont that the song brings.
    init(_ demand: SongDemand?, instrument: RenderOptions.Instrument, bank: SongBank? = nil) throws(Fault) {
        let paths = instrument.soundFonts
        switch instrument {
        case .soundFont: (name, specs) = (Sampler.defaultDescriptor.name, Sampler.Parameter.allCases.map(\.spec))
        case .fluidSynth: (name, specs) = (FluidSynth.descriptor.name, FluidSynth.Parameter.allCases.map(\.spec))
        case .squareWave:
            specs = SquareWave.Parameter.allCases.map(\.spec)
            (name, hasBusPerChannel) = (SquareWave.descriptor.name, false)
            (soundFonts, soundFontOrigin, sources, scans, names) = ([], nil, [], [:], SoundNames(nil))
            (hasSends, songBank) = (false, nil)
            remarks = bank.map { [Self.notPlayed($0, "what plays has SoundFonts of its own, or none")] } ?? []
            return
        }
        hasBusPerChannel = true
        hasSends = name == Sampler.defaultDescriptor.name
        do throws(SoundFontError) {
            let scans = demand?.scans(with: bank)
            let (files, origin) = try SoundFontSources.locate(paths)
            soundFontOrigin = origin
            // The library that libfluidsynth reads DLS with takes whole files only.
            let isRefused = name == FluidSynth.descriptor.name && bank?.format == .dls
            songBank = isRefused ? nil : bank
            sources = files + (songBank.map { [$0.source] } ?? [])
            let library = try SoundFontLibrary(sources)
            let requests = scans.map { Set($0.values.flatMap(\.requests)).sorted() }
            names = SoundNames(library)
            self.scans = scans
            soundFonts = files.map(\.path)
            let refused = isRefused ? bank.map { Self.notPlayed($0, "libfluidsynth cannot read DLS inside a song") } : nil
            let place = files.map(\.path).joined(separator: ", ")
            remarks = (refused.map { [$0] } ?? []) + library.remarks(answering: requests, on: place)
        } catch { throw .unit(.resource(unit: name, reason: error.description, fault: error.fault)) }
    }

    /// The instrument of a port; a SoundFont loads the presets that the port's notes need, and no others.
    func unit(port: Int, name: String) -> PatchUnit {
        var unit = PatchUnit(name, self.name, role: .instrument)
        if hasBusPerChannel { unit.properties = properties(port: port) }
        return unit
    }

    /// Returns the properties of an instrument that plays a port; nil means any, so every preset is loaded.
    func properties(port: Int?) -> [String: PropertyValue] {
        let lasting = sources.map { source in
            SoundFontLibrary.Source(
                path: SoundFontSources.lastingPath(source.path), bankOffset: source.bankOffset)
        }
        return SoundFontSelection.properties(lasting, playing: port.flatMap { port in scans.map { $0[port] ?? PresetScan() } })
    }

    private static func notPlayed(_ bank: SongBank, _ reason: String) -> Remark {
        Remark(.substituted, bank.source.path, "its SoundFont is not played: \(reason)")
    }
}
