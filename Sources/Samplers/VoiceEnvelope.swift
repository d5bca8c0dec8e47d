// [render]

/// An envelope of the SoundFont model: delay, attack, hold, decay, sustain, release; one step a period of 64 frames.
///
/// It counts as libfluidsynth does, down to the growth in single precision, so that both pass from stage to stage at the
/// same period. Source: SoundFont Technical Specification 2.04, section 9.1.7.
struct VoiceEnvelope: BitwiseCopyable {
    enum Stage {
        static var attack: Int { @_noLocks get { 1 } }
        static var decay: Int { @_noLocks get { 3 } }
        static var release: Int { @_noLocks get { 5 } }
        static var finished: Int { @_noLocks get { 6 } }
    }

    /// The course of a stage: its periods, and the growth in each, between two bounds.
    struct Course: BitwiseCopyable {
        var periods: UInt32
        var growth: Double
        var lowest: Double
        var highest: Double

        @_noLocks init(_ periods: UInt32, growth: Double = 0, _ lowest: Double = -1, _ highest: Double = 1) {
            (self.periods, self.growth, self.lowest, self.highest) = (periods, growth, lowest, highest)
        }
    }

    private(set) var stage = 0
    /// Periods spent in the stage.
    private var count: UInt32 = 0
    /// 0...1.
    var value = 0.0
    /// The stage's own, in the cache line of what a step changes.
    private var course: Course
    private var courses: InlineArray<7, Course>

    @_noLocks init() {
        course = Course(0)
        courses = InlineArray(repeating: Course(0))
        courses[4] = Course(.max, -1, 2)
        courses[6] = Course(.max)
    }

    var isFinished: Bool { @_noLocks @inline(__always) get { stage == 6 } }
    var isReleased: Bool { @_noLocks @inline(__always) get { stage >= 5 } }

    @_noLocks mutating func set(_ stage: Int, _ course: Course) {
        courses[stage] = course
        if stage == self.stage { self.course = course }
    }

    @_noLocks mutating func enter(_ stage: Int) {
        self.stage = stage
        course = courses[stage]
        count = 0
    }

    @_noLocks @inline(__always) mutating func step() {
        while count >= course.periods {
            // A decay ends at its exact end, without the rounding.
            if stage == 3 { value = course.lowest }
            enter(stage &+ 1)
        }
        let next = stage == 6 ? 0 : value + course.growth
        if next < course.lowest {
            value = course.lowest
            enter(stage &+ 1)
        } else if next > course.highest {
            value = course.highest
            enter(stage &+ 1)
        } else {
            value = next
            count &+= 1
        }
    }
}
