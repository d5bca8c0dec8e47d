import RemoteIO

/// How a live session is set up. The values are the command line's defaults.
public struct LiveOptions: Sendable {
    /// What plays.
    public var instrument = RenderOptions.Instrument.soundFont([])
    /// Whether the sound goes through reverb and chorus.
    public var hasEffects = true
    /// Decibels on top of the mixer's volume.
    public var gain: Float = 0
    /// `unit.parameter=value` settings, in order.
    public var settings: [String] = []
    /// Audio devices in order of preference; `null` is none: time passes, nothing is heard.
    public var devices = ["default"]
    /// Frames per second.
    public var sampleRate = 48_000
    /// Frames of a period.
    public var period = 256
    /// Periods of the device's buffer.
    public var periods = 2
    /// MIDI input ports of sixteen channels each, 1...16; 0 for a session that only plays songs.
    public var ports = 1
    /// What is connected by itself: `any`, a name pattern, an identity. Empty: nothing.
    public var connections = ["any"]
    /// Whether notes sound as early as they can, instead of all with the same latency.
    public var isImmediate = false
    /// Where the output is written, with a journal beside it; nil: nowhere.
    public var capturePath: String?
    /// Minutes of playing that are kept for `saveRecording`.
    public var recordedMinutes = 10.0
    /// Whether `LiveSession.timingReport` tells what each unit took.
    public var measuresUnits = false

    /// The defaults.
    public init() {}

    /// What the graph is built from.
    var sound: RenderOptions {
        var options = RenderOptions()
        options.instrument = instrument
        options.hasEffects = hasEffects
        options.gain = gain
        options.settings = settings
        options.sampleRate = sampleRate
        options.hasMeter = true
        options.hasStripMeters = true
        return options
    }

    /// What is wanted of the device.
    var stream: DeviceRequest {
        // With a constant latency an event is heard the same time after its key, however soon it is rendered.
        DeviceRequest(
            devices: devices, sampleRate: sampleRate, periodFrames: period, periods: periods, keepsFull: !isImmediate)
    }

    /// Refuses numbers that make no sense. Throws `option`.
    func check() throws(LiveError) {
        func require(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(LiveError) {
            if !range.contains(value) {
                throw .option(
                    name: name, value: "\(value)", remedy: "give \(range.lowerBound) to \(range.upperBound)")
            }
        }
        try require("--rate", sampleRate, 8_000...384_000)
        try require("--period", period, 16...8_192)
        try require("--periods", periods, 2...64)
        try require("--ports", ports, 0...16)
        if !gain.isFinite || !(-60...40).contains(gain) {
            throw .option(name: "--gain", value: "\(gain)", remedy: "give -60 to 40")
        }
        if devices.isEmpty { throw .option(name: "--device", value: "none", remedy: "give a device, or null") }
    }
}
