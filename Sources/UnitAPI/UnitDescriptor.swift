/// The description that a unit gives of itself before there is one: its names, its buses, what it promises about time.
public struct UnitDescriptor: Sendable {
    /// One input or output of a unit.
    public struct Bus: Sendable, Hashable {
        /// The content of the bus, in lower case: `main`, `reverb-send`.
        public var name: String
        /// Channels, 1...64; 0 for a bus of music.
        public var channels: Int
        /// Purposes of a bus of sound.
        public enum Use: Sendable, Hashable {
            /// Sound that is heard.
            case sound
            /// A share for an effect that several units have in common: an output beside the sound itself.
            case send
            /// Sound that steers, as at a compressor's key input, and is not heard.
            case key
        }
        /// The purpose of its sound.
        public var use: Use

        /// True if the bus carries notes and controllers instead of sound. An output of this kind leads to any unit that
        /// receives music, for any inputs; as an input it does not occur.
        public var carriesMusic: Bool { channels == 0 }

        /// Creates a bus of `channels` channels.
        public init(_ name: String, channels: Int = 2, use: Use = .sound) {
            (self.name, self.channels, self.use) = (name, channels, use)
        }

        /// An output that carries notes and controllers: that of a MIDI unit.
        public static func music(_ name: String = "notes") -> Bus { Bus(name, channels: 0) }
    }

    /// A property that has an effect only while a choice has one of its values.
    public struct PropertyCondition: Sendable, Hashable {
        /// The property.
        public var property: String
        /// The parameter, a choice.
        public var parameter: String
        /// The value that the choice must have.
        public var choice: String

        /// `property` is used if `parameter` has the value `choice`.
        public init(_ property: String, where parameter: String, is choice: String) {
            (self.property, self.parameter, self.choice) = (property, parameter, choice)
        }
    }

    /// Type, subtype, manufacturer.
    public var component: ComponentDescription
    /// Stable kebab-case name, used on the command line.
    public var name: String
    /// One sentence that a musician understands.
    public var summary: String
    /// Input buses, element 0 first.
    public var inputs: [Bus]
    /// Output buses, element 0 first.
    public var outputs: [Bus]
    /// True if the last input bus may be repeated: a mixer's element count is chosen when it is made.
    public var repeatsLastInput: Bool
    /// The number of bands, 0...64: parameters of band scope have a value for each, as for an equaliser.
    public var bands: Int
    /// The music that the unit receives.
    public var hearing: Hearing
    /// True if notes and controllers reach `handle`.
    public var acceptsMusic: Bool { hearing.notes }
    /// True for a unit that receives the song's position (`MusicEvent.time`) though none of its parameters follows the tempo.
    public var hearsTime: Bool { hearing.time }
    /// True for a unit that sends music to others: one of its outputs is a music bus.
    public var sendsMusic: Bool { outputs.contains(where: \.carriesMusic) }
    /// True for a MIDI unit, whose only output is music. Bypassed, it passes on what it receives.
    public var isMIDIUnit: Bool { !outputs.isEmpty && outputs.allSatisfy(\.carriesMusic) }
    /// Events take effect on multiples of this many frames of sample time, rounded up. 1 is exact. A unit with a grid of
    /// its own keeps it in step with `RenderIO.sampleTime`, also when it was asleep meanwhile.
    public var eventGranularity: Int
    /// The longest that sound goes on after the input (or the last note's end) has become silent, in seconds, at
    /// every parameter setting.
    public var tail: Double
    /// The longest that it may be silent, in seconds, and then sound again by itself: the time of an echo. A wait for the end
    /// of the sound lasts as long; a MIDI unit need not set it: it is at rest or not.
    public var gap: Double
    /// True if what arrives by ways of different latency is delayed until it arrives together; else each comes as it comes.
    public var alignsInputs: Bool
    /// True for a unit that may be led to what feeds it: its inputs are heard 64 frames late, so that a circle of sound can be
    /// rendered. Those frames are among its latency, and nothing that is heard beside it waits for them.
    public var closesLoop: Bool
    /// Properties that `UnitSetup.properties` may hold.
    public var properties: [String]
    /// The numbers of channels that the unit's buses of sound may have by property `channels`, which the initializer adds;
    /// nil means those that are declared. See `fitted(to:)`.
    public var widths: ClosedRange<Int>?
    /// The properties that are used only while a choice has one of its values.
    public var propertyConditions: [PropertyCondition]
    /// Numbers the unit shows while it runs, in the order of `RenderIO.publish`.
    public var readouts: [String]
    /// The number that each readout shows before the first slice; 0 if the list is shorter.
    public var readoutsAtStart: [Float]
    /// Numbers that the unit shows of each input bus, and their values before the first slice. They follow `readouts`, bus by
    /// bus, as `peak-left[3]`.
    public var inputReadouts: [(name: String, start: Float)]
    /// Numbers that the unit shows of each channel beyond those that its buses are declared with, after `readouts`, as
    /// `peak[2]`.
    public var channelReadouts: [(name: String, start: Float)]
    /// True if the unit's sound is made by code that is not Carillon's: then neither the compiler nor a law proves that it
    /// takes no memory and no lock while it renders, or that every machine gives the same bytes.
    public var runsForeignCode: Bool
    /// Settings that the unit brings along, each under a name: Audio Units' `FactoryPresets`. They hold only parameters that
    /// can move while it sounds; a change of preset leaves alone what none of them names.
    public var factoryPresets: [FactoryPreset]

    /// Creates a descriptor; what is left out is the usual case.
    public init(
        component: ComponentDescription, name: String, summary: String, inputs: [Bus] = [], outputs: [Bus],
        repeatsLastInput: Bool = false, bands: Int = 0, acceptsMusic: Bool = false, hearsTime: Bool = false,
        hearingChoice: Hearing.Choice? = nil, eventGranularity: Int = 1, tail: Double = 0, gap: Double = 0,
        alignsInputs: Bool = true, closesLoop: Bool = false,
        properties: [String] = [], widths: ClosedRange<Int>? = nil,
        propertyConditions: [PropertyCondition] = [], readouts: [String] = [], readoutsAtStart: [Float] = [],
        inputReadouts: [(name: String, start: Float)] = [], channelReadouts: [(name: String, start: Float)] = [],
        runsForeignCode: Bool = false, factoryPresets: [FactoryPreset] = []
    ) {
        (self.component, self.name, self.summary, self.inputs, self.outputs) = (component, name, summary, inputs, outputs)
        (self.repeatsLastInput, self.bands) = (repeatsLastInput, bands)
        hearing = Hearing(notes: acceptsMusic, time: hearsTime, choice: hearingChoice)
        (self.eventGranularity, self.tail, self.gap) = (eventGranularity, tail, gap)
        (self.alignsInputs, self.closesLoop) = (alignsInputs, closesLoop)
        self.properties = properties + (widths == nil ? [] : [Self.widthProperty])
        (self.widths, self.propertyConditions, self.readouts) = (widths, propertyConditions, readouts)
        (self.readoutsAtStart, self.runsForeignCode, self.inputReadouts) = (readoutsAtStart, runsForeignCode, inputReadouts)
        (self.channelReadouts, self.factoryPresets) = (channelReadouts, factoryPresets)
    }

    func shown(inputs: Int) -> UnitDescriptor {
        if inputReadouts.isEmpty { return self }
        var shown = self
        while shown.readoutsAtStart.count < readouts.count { shown.readoutsAtStart.append(0) }
        for bus in 0..<inputs {
            shown.readouts += inputReadouts.map { "\($0.name)[\(bus)]" }
            shown.readoutsAtStart += inputReadouts.map(\.start)
        }
        return shown
    }
}
