import Testing

@testable import Installations

/// The watchdog is fed only while sound is made.
@Suite struct SoundWatchTests {
    @Test func aGrowingCounterFeedsForEver() {
        let watch = Asked()
        for second in 1...100_000 {
            let isFed = watch.mayFeed(
                renderedFrames: Int64(second) * 48_000, notesSounding: true, levelDecibels: -20, at: Double(second))
            if !isFed || watch.reason != nil { Issue.record("second \(second): \(watch.reason ?? "")") }
        }
    }

    @Test func aCounterThatStandsStillStarves() {
        let watch = Asked()
        #expect(!watch.mayFeed(renderedFrames: 0, notesSounding: false, levelDecibels: -20, at: 0))
        #expect(watch.reason == "no sound has been rendered yet")
        #expect(watch.mayFeed(renderedFrames: 1, notesSounding: false, levelDecibels: -20, at: 1))
        #expect(watch.reason == nil)
        for second in 2..<5 {
            #expect(!watch.mayFeed(renderedFrames: 1, notesSounding: false, levelDecibels: -20, at: Double(second)))
            #expect(watch.reason == "the rendering is stuck at frame 1")
        }
        #expect(watch.mayFeed(renderedFrames: 2, notesSounding: false, levelDecibels: -20, at: 6))
        #expect(watch.reason == nil)
    }

    /// Asked every 15 seconds, as under WatchdogSec=30, what was rendered in the first of them is no reason to feed it.
    @Test func renderingThatStoodStillLongBeforeTheQuestionStarves() {
        for stop in 1...150 {
            let watch = Asked()
            #expect(watch.mayFeed(renderedFrames: 1, notesSounding: false, levelDecibels: -20, at: 0))
            for turn in 1..<150 {
                watch.look(renderedFrames: Int64(min(turn, stop) * 4_800), at: Double(turn) / 10)
            }
            let isFed = watch.mayFeed(
                renderedFrames: Int64(stop * 4_800), notesSounding: false, levelDecibels: -20, at: 15)
            #expect(isFed == (stop >= 145), "it stood still at \(Double(stop) / 10) s")
            #expect(watch.reason == (isFed ? nil : "the rendering is stuck at frame \(stop * 4_800)"))
            #expect(watch.mayFeed(renderedFrames: 1_000_000, notesSounding: false, levelDecibels: -20, at: 15.1))
        }
    }

    @Test func aProcessThatWasHeldItselfIsFedAtOnce() {
        let watch = Asked()
        #expect(watch.mayFeed(renderedFrames: 1, notesSounding: false, levelDecibels: -20, at: 0))
        watch.look(renderedFrames: 4_800, at: 0.1)
        #expect(watch.mayFeed(renderedFrames: 4_800, notesSounding: false, levelDecibels: -20, at: 3_600))
        // And rendering that begins anew stands at no frame.
        watch.look(renderedFrames: 4_800, at: 3_600.2)
        watch.look(renderedFrames: 4_800, at: 3_600.4)
        watch.look(renderedFrames: 0, at: 3_600.6)
        #expect(!watch.mayFeed(renderedFrames: 1, notesSounding: false, levelDecibels: -20, at: 3_600.8))
        #expect(watch.mayFeed(renderedFrames: 2, notesSounding: false, levelDecibels: -20, at: 3_600.9))
    }

    @Test func notesThatNobodyHearsStarveAfterThePatienceAndNotBefore() {
        let watch = Asked(patience: 20)
        for second in 0...20 {
            #expect(
                watch.mayFeed(
                    renderedFrames: Int64(second + 1), notesSounding: true, levelDecibels: -.infinity, at: Double(second)))
        }
        #expect(!watch.mayFeed(renderedFrames: 99, notesSounding: true, levelDecibels: -90.1, at: 20.5))
        #expect(watch.reason == "the song has had notes for 20 seconds, but the output is silent")
        // The counter did not count as fed; one sound is enough.
        #expect(watch.mayFeed(renderedFrames: 99, notesSounding: true, levelDecibels: -90, at: 21))
        #expect(watch.reason == nil)
        #expect(watch.mayFeed(renderedFrames: 100, notesSounding: true, levelDecibels: -100, at: 41))
        #expect(watch.mayFeed(renderedFrames: 101, notesSounding: true, levelDecibels: -100, at: 61))
        #expect(!watch.mayFeed(renderedFrames: 102, notesSounding: true, levelDecibels: -100, at: 61.5))
    }

    @Test func restsBetweenSongsAreNoFault() {
        let watch = Asked()
        for second in 0..<10_000 {
            // Notes for ten seconds that nobody hears, then a rest.
            #expect(
                watch.mayFeed(
                    renderedFrames: Int64(second + 1), notesSounding: second % 12 < 10, levelDecibels: -120, at: Double(second)))
        }
        for second in 10_000..<20_000 {
            #expect(
                watch.mayFeed(
                    renderedFrames: Int64(second + 1), notesSounding: false, levelDecibels: -120, at: Double(second)))
        }
    }

    /// Every row of small questions against the rule said in another way.
    @Test func everyShortStoryIsJudgedByTheRule() {
        let steps = [(false, -100.0), (true, -100.0), (true, -20.0), (false, -20.0)]
        for story in 0..<(1 << 14) {
            let watch = Asked(patience: 2)
            var frames: Int64 = 1, fed: Int64 = 0, silent = 0
            for step in 0..<6 {
                let choice = story >> (2 * step) & 3, isStalled = story >> 12 & 3 == 3 && step % 2 == 1
                let (notes, level) = steps[choice]
                if !isStalled { frames += 1 }
                silent = notes && level < -90 ? silent + 1 : 0
                let expected = frames > fed && silent <= 3
                let isFed = watch.mayFeed(
                    renderedFrames: frames, notesSounding: notes, levelDecibels: level, at: Double(step))
                if isFed != expected || isFed != (watch.reason == nil) { Issue.record("story \(story), step \(step)") }
                if isFed { fed = frames }
            }
        }
    }

    @Test func theGreatestCountsAndStrangeNumbersAreJudgedToo() {
        let watch = Asked()
        #expect(watch.mayFeed(renderedFrames: .max - 1, notesSounding: true, levelDecibels: 0, at: 0))
        #expect(watch.mayFeed(renderedFrames: .max, notesSounding: true, levelDecibels: .nan, at: 1))
        #expect(!watch.mayFeed(renderedFrames: .max, notesSounding: true, levelDecibels: 0, at: 2))
        // Rendering that began anew.
        #expect(!watch.mayFeed(renderedFrames: 5, notesSounding: false, levelDecibels: 0, at: 3))
        #expect(watch.mayFeed(renderedFrames: 6, notesSounding: false, levelDecibels: 0, at: 4))
        #expect(!watch.mayFeed(renderedFrames: .min, notesSounding: true, levelDecibels: .nan, at: 5))
        #expect(!watch.mayFeed(renderedFrames: 7, notesSounding: true, levelDecibels: .nan, at: .infinity))
        #expect(watch.reason?.contains("silent") == true)
    }
}

/// A watch that `#expect` may ask: what it captures does not change.
private final class Asked {
    private var watch: SoundWatch

    init(patience: Double = 20) { watch = SoundWatch(patience: patience) }

    var reason: String? { watch.reason }

    func look(renderedFrames: Int64, at seconds: Double) { watch.look(renderedFrames: renderedFrames, at: seconds) }

    func mayFeed(renderedFrames: Int64, notesSounding: Bool, levelDecibels: Double, at seconds: Double) -> Bool {
        watch.mayFeed(
            renderedFrames: renderedFrames, notesSounding: notesSounding, levelDecibels: levelDecibels, at: seconds)
    }
}
