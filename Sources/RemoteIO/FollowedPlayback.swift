import RealtimeCore
import UnitAPI

/// All that a second device plays: what a `PlaybackFollower` makes. The one unit of that device's own graph, and in no
/// catalogue.
package struct FollowedPlayback: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "flpb", manufacturer: .carillon), name: "followed-playback",
        summary: "What another graph plays, in step.", outputs: [.init("main")])

    package typealias Parameter = NoParameter

    private let follower: Unmanaged<PlaybackFollower>
    private let owner: PlaybackFollower
    /// Set in every slice.
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Plays the output of `follower`, which looks at the clocks whenever the graph's companions are served.
    package init(_ follower: PlaybackFollower) {
        owner = follower
        self.follower = .passUnretained(follower)
        planes = .allocate(capacity: 2)
    }

    /// Creates a unit without a device to follow: silence.
    package init(_ setup: UnitSetup) {
        self.init(PlaybackFollower(CaptureQueue(channels: 2, frames: 1), sampleRate: setup.sampleRate) { nil })
    }

    deinit { planes.deallocate() }

    /// The follower.
    package var companion: UnitCompanion? { owner }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 { (planes + channel).initialize(to: io.output(0, channel).base) }
        let planes = UnsafePointer(planes), frames = io.frames, time = io.sampleTime
        follower._withUnsafeGuaranteedRef { $0.render(planes, frames: frames, at: time) }
        // The followed device does not wake the unit, so it never sleeps.
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
