import Graph
import UnitAPI
import Units
import VoiceProcessing

extension Graph {
    /// Adds the device's input with voice processing, and returns the node that gives the cleaned voice: a `DeviceInput` into a
    /// `VoiceProcessor` that knows what the device plays.
    ///
    ///     let voice = try graph.addVoiceInput(startValues: ["gain-control": 1])
    ///     try graph.connect(voice, to: recorderOrMixer)
    ///
    /// Whatever the graph's output plays is taken out of what the microphone hears, in step to the frame: a slice is told to
    /// the processor when it was rendered, and waits there for as long as a sound takes from the loudspeaker through the device
    /// and back into the graph. It works from `Engine.start(on:)` on; before, and offline, it is silent.
    ///
    /// - Parameters:
    ///   - name: of the voice processor; the input is called `NAME-input`.
    ///   - startValues: of the voice processor; `playback` is the device.
    /// - Throws: `unit` where libspeexdsp is not installed or a value cannot be.
    @discardableResult
    public mutating func addVoiceInput(
        name: String = "voice", startValues: [String: Float] = [:]
    ) throws(GraphError) -> NodeID {
        let input = try add(DeviceInput.self, name: "\(name)-input")
        let voice = try add(
            VoiceProcessor.self, name: name, startValues: startValues.merging(["playback": 1]) { _, device in device })
        try connect(input, to: voice)
        return voice
    }
}
