import DSP
import Graphs
import RealtimeCore
import Testing

@testable import RemoteIO

/// Each loudspeaker of a device plays what is meant for it, whatever the order of its channels.
@Suite struct ChannelPlacingTests {
    private func request(_ made: SpeakerLayout, on device: SpeakerLayout? = nil) -> DeviceRequest {
        DeviceRequest(layout: made, deviceLayout: device)
    }

    private static let hdmi: [Speaker?] = [
        .frontLeft, .frontRight, .lowFrequency, .centre, .rearLeft, .rearRight, .sideLeft, .sideRight,
    ]

    @Test func aDeviceThatTellsItsOrderIsServedInIt() {
        let placing = ChannelPlacing(request(.surround71), channels: 8, speakers: Self.hdmi)
        #expect(placing.layout == .surround71)
        #expect(placing.fold == nil)
        #expect(placing.sources == [0, 1, 5, 4, 2, 3, 6, 7])
    }

    @Test func aDeviceThatDoesNotTellHasTheOrderOfALSA() {
        for layout in [SpeakerLayout.stereo, .quad, .surround50, .surround51, .surround71] {
            let placing = ChannelPlacing(request(layout), channels: layout.channels)
            #expect(placing.layout == layout && placing.fold == nil)
            #expect(placing.sources == Array(0..<layout.channels))
        }
        // Ten channels that mean nothing: what is made lies on the first ones.
        let placing = ChannelPlacing(request(.surround51), channels: 10)
        #expect(placing.layout == .surround51)
        #expect(placing.sources == [0, 1, 2, 3, 4, 5, -1, -1, -1, -1])
    }

    @Test func sideSpeakersAloneAreTheSurrounds() {
        let told: [Speaker?] = [.frontLeft, .frontRight, .centre, .lowFrequency, .sideLeft, .sideRight]
        let placing = ChannelPlacing(request(.surround51), channels: 6, speakers: told)
        #expect(placing.layout == .surround51)
        #expect(placing.sources == [0, 1, 4, 5, 2, 3])
    }

    @Test func aMapOfTheUsersOwnStandsAboveEverything() {
        let request = DeviceRequest(channelMap: [1, 0, -1], layout: .stereo)
        let placing = ChannelPlacing(request, channels: 4, speakers: [.frontLeft, .frontRight, .rearLeft, .rearRight])
        #expect(placing.layout == nil)
        #expect(placing.sources == [1, 0, -1, -1])
    }

    // MARK: - Heard

    /// What a device grants, and how loud each of its channels is when every speaker has a level of its own.
    private func heard(
        _ request: DeviceRequest, channels: Int?, speakers: [Speaker?] = []
    ) throws -> (grant: DeviceGrant, levels: [Float]) {
        let port = SimulatedPort(channels: channels)
        port.hardware.speakers = speakers
        let (renderer, rig) = try EightTones.renderer()
        let grant = try port.open(renderer, request, capture: nil, input: nil)
        try port.start {}
        port.advance(frames: 48_000)
        port.stop()
        withExtendedLifetime(rig) {}
        return (
            grant,
            port.played.map { plane in
                let tail = plane.suffix(24_000)
                return tail.isEmpty ? 0 : tail.reduce(0) { max($0, $1) }
            }
        )
    }

    @Test func theSpeakersOfAnHDMICardPlayWhatIsMeantForThem() throws {
        let (grant, levels) = try heard(request(.surround71), channels: 8, speakers: Self.hdmi)
        #expect(grant.layout == .surround71 && grant.foldedLayout == nil && grant.isAsWanted)
        #expect(levels == Self.hdmi.map { EightTones.level($0!) })
    }

    @Test func surroundOnTwoSpeakersIsFoldedDownAndTheGrantTellsIt() throws {
        let (grant, levels) = try heard(request(.surround71), channels: 2)
        #expect(grant.foldedLayout == .surround71)
        #expect(grant.description.contains("folded down from 7.1"))
        let half: Float = 0.70710678
        let left =
            EightTones.level(.frontLeft) + half
            * (EightTones.level(.centre) + EightTones.level(.rearLeft) + EightTones.level(.sideLeft))
        let right =
            EightTones.level(.frontRight) + half
            * (EightTones.level(.centre) + EightTones.level(.rearRight) + EightTones.level(.sideRight))
        #expect(abs(levels[0] - left) < 1e-6 && abs(levels[1] - right) < 1e-6)
    }

    @Test func stereoOnSixSpeakersPlaysAtTheFrontOnes() throws {
        let speakers: [Speaker?] = [.centre, .lowFrequency, .frontLeft, .frontRight, .rearLeft, .rearRight]
        let (grant, levels) = try heard(request(.stereo, on: .surround51), channels: nil, speakers: speakers)
        #expect(grant.channels == 6 && grant.layout == .surround51 && grant.foldedLayout == nil)
        #expect(levels == [0, 0, EightTones.level(.frontLeft), EightTones.level(.frontRight), 0, 0])
    }
}
