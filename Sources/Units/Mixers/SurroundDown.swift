import DSP
import RealtimeCore
import UnitAPI

/// Surround made stereo: a signal for up to eight loudspeakers, on two.
///
/// The centre plays on both sides 3 dB softer, rear and side speakers on their own side 3 dB softer, low frequencies are left
/// out (`SpeakerFold`). Channels are in the order of `SpeakerLayout`, so that one input serves quad, 5.1 and 7.1; property
/// `channels` makes it as narrow as its source, 6 for a file player's 5.1. Sound that is in all speakers at once may become
/// up to 10 dB louder: a limiter after it holds what must not clip. Source: ITU-R BS.775-3, annex 4.
package struct SurroundDown: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "srdn", manufacturer: .carillon), name: "surround-down",
        summary: "Makes stereo of surround.", inputs: [.init("speakers", channels: SpeakerRing.width)],
        outputs: [.init("main")], widths: 1...8)

    package typealias Parameter = NoParameter

    private let fold: SpeakerFold
    private let width: Int
    private var owned: OwnedMemory
    /// The pointers of a slice, in the order of the fold.
    private let sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    package init(_ setup: UnitSetup) throws(UnitError) {
        width = setup.channels(of: Self.descriptor)
        guard let layout = SpeakerLayout(channels: width) else {
            throw .invalidProperty(
                unit: "surround-down", property: UnitDescriptor.widthProperty,
                reason: "no layout has \(width) channels; choose 1 to 6, or 8")
        }
        owned = OwnedMemory()
        fold = SpeakerFold(from: layout, to: .stereo)
        sources = owned.room(for: width)
        targets = owned.room(for: 2)
    }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        for channel in 0..<width {
            (sources + channel).initialize(to: UnsafeMutablePointer(mutating: io.input(0, channel).base))
        }
        for channel in 0..<2 { (targets + channel).initialize(to: io.output(0, channel).base) }
        fold.fold(sources, to: targets, frames: io.frames)
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
