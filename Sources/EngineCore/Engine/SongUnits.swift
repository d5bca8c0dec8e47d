import FluidSynthUnit
import Samplers
import UnitAPI
import Units

/// The names of the units of a song's graph, and the type of each: the names of `--set`, beside those of types.
package enum SongUnits {
    /// A name, or a row of numbered ones.
    private struct Row {
        let type: String
        /// The name of the units, without a number.
        let name: String
        /// True if the first has a number too.
        let isAlwaysNumbered: Bool
    }

    static let mixer = "mixer"
    static let meter = "meter"

    private static let rows = [
        Row(type: Sampler.defaultDescriptor.name, name: Sampler.defaultDescriptor.name, isAlwaysNumbered: false),
        Row(type: FluidSynth.descriptor.name, name: FluidSynth.descriptor.name, isAlwaysNumbered: false),
        Row(type: SquareWave.descriptor.name, name: SquareWave.descriptor.name, isAlwaysNumbered: false),
        Row(type: ChannelStrip.descriptor.name, name: "strip", isAlwaysNumbered: true),
        Row(type: MultichannelMixer.descriptor.name, name: mixer, isAlwaysNumbered: false),
        Row(type: Reverb.descriptor.name, name: Reverb.descriptor.name, isAlwaysNumbered: false),
        Row(type: Chorus.descriptor.name, name: Chorus.descriptor.name, isAlwaysNumbered: false),
        Row(type: Limiter.descriptor.name, name: Limiter.descriptor.name, isAlwaysNumbered: false),
        Row(type: PeakMeter.descriptor.name, name: meter, isAlwaysNumbered: false),
    ]

    /// The strip of a part: `strip-17` is channel 1 of the second port.
    static func strip(_ part: Int) -> String { "strip-\(part + 1)" }

    /// The instrument of a port, counted from 0: `soundfont`, `soundfont-2`.
    static func instrument(_ type: String, _ index: Int) -> String { index == 0 ? type : "\(type)-\(index + 1)" }

    /// The part whose strip is called `name`; nil for another name.
    static func part(ofStrip name: String) -> Int? {
        guard name.hasPrefix("strip-"), let number = Int(name.dropFirst(6)), (1...256).contains(number),
            name == strip(number - 1)
        else { return nil }
        return number - 1
    }

    /// The type of the unit that is called `name`; nil where no song's graph has such a unit.
    package static func type(of name: String) -> String? {
        rows.first { row in
            if name == row.name { return !row.isAlwaysNumbered }
            guard name.hasPrefix(row.name + "-") else { return false }
            // As many as a port has channels, and as there are ports.
            return (1...16).contains { name == "\(row.name)-\($0)" }
        }?.type
    }

    /// Returns the names of units of `type`, for messages: `strip-1 ... strip-16`; nil if no song's graph has any.
    package static func names(ofType type: String) -> String? {
        rows.first { $0.type == type }.map { $0.isAlwaysNumbered ? "\($0.name)-1 ... \($0.name)-16" : $0.name }
    }

    /// The names one by one, those of the first port: `strip-1`, `strip-2`, ... `strip-16`.
    static func namesOfOnePort(ofType type: String) -> [String] {
        rows.filter { $0.type == type }.flatMap { row in
            row.isAlwaysNumbered ? (1...16).map { "\(row.name)-\($0)" } : [row.name]
        }
    }
}
