import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A place where sounds meet that need not be in step with each other: patches of a set list, each with a latency of its own.
///
/// The sounds that are connected to it are added up and come out bit for bit. It is not a mixer: parallel paths of one sound
/// that meet in a mixer are delayed until they arrive together, and a path that came or went there would move the others in
/// time. Here nothing waits for anything. `volume` turns all of it, for patches without a mixer; at 0 dB bits pass. Property
/// `channels` is the number of channels.
package struct Junction: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "junc", manufacturer: .carillon), name: "junction",
        summary: "Adds up what is connected to it, without aligning delays.", inputs: [.init("main")],
        outputs: [.init("main")], alignsInputs: false, widths: 1...8)

    package enum Parameter: Int, UnitParameter {
        case volume

        package var spec: ParameterSpec { MultichannelMixer.Parameter.volume.spec }
    }

    private let channels: Int
    private var loudness = AmplitudeMemo()

    package init(_ setup: UnitSetup) { channels = setup.channels(of: Self.descriptor) }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let volume = io[Parameter.volume], loudness = loudness(volume.target)
        if io.isSilent() || (volume.isSteady && loudness == 0) { return .silent }
        for channel in 0..<channels {
            let from = io.input(0, channel).base, to = io.output(0, channel).base
            if !volume.isSteady {
                for i in 0..<io.frames { to[i] = from[i] * Decibels.amplitude(volume[i]) }
            } else if loudness == 1 {
                rt_copy(to, from, io.frames)
            } else {
                rt_scale(to, from, loudness, io.frames)
            }
        }
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
