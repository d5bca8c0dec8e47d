import Graphs
import UnitAPI
import Units
import VoiceProcessing

extension Graph {
    /// Adds the device's input with voice processing, and returns the node that gives the cleaned voice: a `DeviceInput` into a
    /// `VoiceProcessor` that gets the sound that the device plays.
    ///
    ///     let voice = try graph.addVoiceInput(startValues: ["gain-control": 1])
    ///     try graph.connect(voice, to: recorderOrMixer)
    ///
    /// The sound of the graph's output is taken out of what the microphone hears, in step to the frame: the processor gets a
    /// slice when it was rendered, and holds it for as long as a sound takes from the loudspeaker through the device and back
    /// into the graph. It works from `Engine.start(on:)` on; before, and offline, it is silent.
    ///
    /// - Parameters:
    ///   - name: of the voice processor; the input is called `NAME-input`.
    ///   - startValues: of the voice processor; `playback` is the device.
    /// - Throws: `unit` if libspeexdsp is not installed or a value is impossible.
    @discardableResult
    public mutating func addVoiceInput(name: String = "voice", startValues: [String: Float] = [:]) throws(Fault) -> NodeID {
        let input = try add(DeviceInput.self, name: "\(name)-input")
        let voice = try add(
            VoiceProcessor.self, name: name, startValues: startValues.merging(["playback": 1]) { _, device in device })
        try connect(input, to: voice)
        return voice
    }
}
