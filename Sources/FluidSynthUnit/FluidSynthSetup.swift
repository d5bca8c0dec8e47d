import SoundFonts
import UnitAPI

/// The settings that a `FluidSynth` is made from, read out of the properties and start values of a `UnitSetup`.
struct FluidSynthSetup {
    var selection: SoundFontSelection
    var sampleRate: Double
    var polyphony: Int
    /// The kind of interpolation as the library numbers it: 0, 1, 4, 7.
    var interpolation: Int32
    var gain: Float
    var buses: OutputBuses

    var usedChannels: UInt16 { selection.usedChannels }

    /// The fewest groups that give each used channel one of its own (the library puts channel c into group c modulo
    /// their number), or one for all: each group costs a buffer to clear and to copy.
    var groupCount: Int {
        if buses == .main { return 1 }
        let channels = (0..<16).filter { usedChannels >> UInt16($0) & 1 != 0 }
        return (1...16).first { count in Set(channels.map { $0 % count }).count == channels.count } ?? 16
    }

    init(_ setup: UnitSetup) throws(SoundFontError) {
        selection = try SoundFontSelection(setup)
        sampleRate = setup.sampleRate
        polyphony = Int(setup.value(of: FluidSynth.Parameter.polyphony))
        interpolation = [0, 1, 4, 7][min(max(Int(setup.value(of: FluidSynth.Parameter.interpolation)), 0), 3)]
        gain = setup.value(of: FluidSynth.Parameter.gain)
        buses = setup.buses
    }
}
