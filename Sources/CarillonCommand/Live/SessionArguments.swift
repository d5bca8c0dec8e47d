import ArgumentParser
import Carillon

/// What `live` and `play` have in common: what sounds, and on which device.
struct SessionArguments: ParsableArguments {
    @OptionGroup var sound: SoundArguments

    @Option(
        help: ArgumentHelp(
            """
            The audio device; give it again for others to fall back on, best first. carillon devices lists them; null \
            is none, in real time. (default: default)
            """, valueName: "name"))
    var device: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Sample rate in Hz, 8000 to 192000; SoundFonts play up to 96000.", valueName: "hz"))
    var rate = LiveOptions().sampleRate

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames between two wake-ups of the device, 16 to 8192.", valueName: "frames"))
    var period = LiveOptions().period

    @Option(parsing: .unconditional, help: ArgumentHelp("Periods in the device's buffer, 2 to 16.", valueName: "number"))
    var periods = LiveOptions().periods

    @Flag(help: "At the end, print how exact everything was in time: histograms, and xruns with their causes.")
    var timingReport = false

    func validate() throws {
        try Self.require(rate, in: 8_000...192_000, "--rate", "Hz")
        if sound.instrument == .soundfont, rate > 96_000 {
            throw ValidationError("--rate \(rate): SoundFonts play up to 96000 Hz; the device converts where it must")
        }
        try Self.require(period, in: 16...8_192, "--period", "frames")
        try Self.require(periods, in: 2...16, "--periods", "periods")
        if device.contains("") { throw ValidationError("--device: the name is empty; carillon devices lists names") }
    }

    /// What they ask of a session.
    var options: LiveOptions {
        var options = LiveOptions()
        options.instrument = sound.player
        options.hasEffects = !sound.dry
        options.gain = sound.gain ?? options.gain
        options.settings = sound.set
        if !device.isEmpty { options.devices = device }
        options.sampleRate = rate
        options.period = period
        options.periods = periods
        options.measuresUnits = timingReport
        return options
    }

    /// Refuses a number that lies outside what makes sense.
    static func require(_ value: Int, in range: ClosedRange<Int>, _ name: String, _ unit: String) throws {
        if !range.contains(value) {
            throw ValidationError("\(name) \(value): it must be \(range.lowerBound) to \(range.upperBound) \(unit)")
        }
    }
}
