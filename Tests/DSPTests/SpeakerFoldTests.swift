import DSP
import Testing

@Suite struct SpeakerFoldTests {
    @Test func sideSpeakersWithoutRearOnesAreTheSurrounds() {
        let told: [Speaker?] = [.frontLeft, nil, .sideLeft, .sideRight]
        #expect(Speaker.withSurroundsInTheRear(told) == [.frontLeft, nil, .rearLeft, .rearRight])
        let eight: [Speaker?] = [.rearLeft, .rearRight, .sideLeft, .sideRight]
        #expect(Speaker.withSurroundsInTheRear(eight) == eight)
    }

    private let half: Float = 0.70710678118654752

    /// What each channel of the target gets of a unit on one speaker of the source.
    private func folded(_ speaker: Speaker, _ source: SpeakerLayout, _ target: SpeakerLayout) -> [Float] {
        let fold = SpeakerFold(from: source, to: target), frames = 5
        func planes(_ count: Int) -> [UnsafeMutablePointer<Float>] {
            (0..<count).map { _ in
                let plane = UnsafeMutablePointer<Float>.allocate(capacity: frames)
                plane.initialize(repeating: 9, count: frames)
                return plane
            }
        }
        let from = planes(source.channels), to = planes(target.channels)
        defer { for plane in from + to { plane.deallocate() } }
        for (plane, own) in zip(from, source.speakers) { plane.update(repeating: own == speaker ? 1 : 0, count: frames) }
        from.withUnsafeBufferPointer { from in
            to.withUnsafeBufferPointer { fold.fold(from.baseAddress!, to: $0.baseAddress!, frames: frames) }
        }
        return to.map { plane in
            #expect((1..<frames).allSatisfy { plane[$0] == plane[0] })
            return plane[0]
        }
    }

    @Test(arguments: [SpeakerLayout.surround50, .surround51, .surround71])
    func stereoGetsCentreAndSurrounds3dBSofterAndNoLowFrequencies(_ source: SpeakerLayout) {
        #expect(folded(.frontLeft, source, .stereo) == [1, 0])
        #expect(folded(.frontRight, source, .stereo) == [0, 1])
        #expect(folded(.centre, source, .stereo) == [half, half])
        #expect(folded(.rearLeft, source, .stereo) == [half, 0])
        #expect(folded(.rearRight, source, .stereo) == [0, half])
        if source.speakers.contains(.lowFrequency) { #expect(folded(.lowFrequency, source, .stereo) == [0, 0]) }
        if source.speakers.contains(.sideLeft) { #expect(folded(.sideLeft, source, .stereo) == [half, 0]) }
    }

    @Test func sidesGoToTheRearWhereThereIsOne() {
        #expect(folded(.sideLeft, .surround71, .surround51) == [0, 0, half, 0, 0, 0])
        #expect(folded(.sideRight, .surround71, .quad) == [0, 0, 0, half])
        #expect(folded(.rearLeft, .surround71, .surround51) == [0, 0, 1, 0, 0, 0])
        #expect(folded(.lowFrequency, .surround71, .stereoWithBass) == [0, 0, 1])
    }

    @Test func fewerSpeakersLeaveTheOthersSilent() {
        #expect(folded(.frontLeft, .stereo, .surround71) == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(folded(.frontRight, .stereo, .surround51) == [0, 1, 0, 0, 0, 0])
        #expect(folded(.centre, .mono, .surround50) == [1, 1, 0, 0, 0])
        #expect(folded(.centre, .mono, .stereo) == [1, 1])
        #expect(folded(.rearRight, .quad, .surround71) == [0, 0, 0, 1, 0, 0, 0, 0])
    }

    @Test func oneSpeakerPlaysHalfOfWhatTwoWould() {
        #expect(folded(.frontLeft, .stereo, .mono) == [0.5])
        #expect(folded(.centre, .surround51, .mono) == [half])
        #expect(folded(.rearLeft, .surround51, .mono) == [half * 0.5])
    }

    @Test(arguments: SpeakerLayout.allCases, SpeakerLayout.allCases)
    func soundThatFitsIsNotTouched(_ source: SpeakerLayout, _ target: SpeakerLayout) {
        let isOneToOne = SpeakerFold(from: source, to: source).isOneToOne
        #expect(isOneToOne)
        for (place, speaker) in source.speakers.enumerated() where source != .mono && target.speakers.contains(speaker) {
            if target == .mono { continue }
            let heard = folded(speaker, source, target), own = target.speakers.firstIndex(of: speaker)
            #expect(heard == heard.indices.map { $0 == own ? 1 : 0 }, "\(place)")
        }
    }

    @Test func channelsThatNothingIsKnownOfGoOneByOne() {
        let fold = SpeakerFold(oneByOne: 3, on: 5)
        #expect(fold.inputs == 3 && fold.outputs == 5)
        let same = SpeakerFold(oneByOne: 7, on: 7).isOneToOne
        #expect(same)
        let from = (0..<3).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 4) }
        let to = (0..<5).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 4) }
        defer { for plane in from + to { plane.deallocate() } }
        for (channel, plane) in from.enumerated() { plane.initialize(repeating: Float(channel + 1), count: 4) }
        for plane in to { plane.initialize(repeating: 9, count: 4) }
        from.withUnsafeBufferPointer { from in
            to.withUnsafeBufferPointer { fold.fold(from.baseAddress!, to: $0.baseAddress!, frames: 4) }
        }
        #expect(to.map { $0[3] } == [1, 2, 3, 0, 0])
    }

    @Test func layoutsAreCalledAsTheyAreTyped() {
        #expect(SpeakerLayout.names == ["mono", "stereo", "2.1", "quad", "5.0", "5.1", "7.1"])
        #expect(SpeakerRing.layouts.map { SpeakerLayout(named: $0)?.rawValue } == ["stereo", "quad", "5.1", "7.1"])
        #expect(SpeakerLayout(named: "6.1") == nil)
        #expect(SpeakerLayout(channels: 7) == nil)
        for layout in SpeakerLayout.allCases {
            #expect(layout.speakers.count == layout.channels)
            #expect(SpeakerLayout(channels: layout.channels) == layout)
        }
    }
}
