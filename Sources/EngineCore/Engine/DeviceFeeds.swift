import Graphs
import RealtimeCore
import RemoteIO
import Synchronization
import Units
import VoiceProcessing

/// The parts of a graph that hear the device that plays it: the unit `input`, which gets the captured sound, and a voice
/// processor, which gets the played sound.
///
/// Their latency depends on the device, and the next one of the list has another: the owner of the device calls `follow`.
/// Control side, any thread of it.
package final class DeviceFeeds: Sendable {
    /// More of a kind than one device can serve.
    package enum Excess: Error {
        case inputs(count: Int)
        case voiceProcessors(count: Int)
    }

    private struct Known: Equatable {
        var latency = 0, channels = 0
        /// True once the device was released, so that nothing more is sent.
        var isOver = false
    }

    /// The feed that takes the device's sound; nil if the graph wants none.
    package let input: InputFeed?
    /// The feed that gets the sound that the device plays; nil if the graph has none.
    package let playback: PlaybackFeed?
    private let known = Mutex(Known())

    /// Finds the feeds of a graph as it is now. - Throws: where it has two of a kind.
    package init(of graph: Graph) throws(Excess) {
        let inputs = graph.nodes.compactMap { $0.instance.companion as? InputFeed }
        if inputs.count > 1 { throw .inputs(count: inputs.count) }
        let voices = graph.nodes.compactMap { $0.instance.companion as? PlaybackFeed }
        if voices.count > 1 { throw .voiceProcessors(count: voices.count) }
        (input, playback) = (inputs.first, voices.first)
    }

    /// Opens the device for them. `capture` gets the rendered sound; nil means the voice processor, if one listens.
    package func open(
        _ port: any DevicePort, _ renderer: Renderer, _ request: DeviceRequest, capture: CaptureQueue? = nil
    ) throws(DeviceError) -> DeviceGrant {
        let grant = try port.open(
            renderer, request, capture: capture ?? playback?.queue, input: request.capture ? input?.queue : nil)
        follow(port)
        return grant
    }

    /// Gives them the latency of the open device when it has changed: another device plays, or it has other periods. If the
    /// device captures nothing, they hear silence.
    package func follow(_ port: any DevicePort) {
        known.withLock { known in
            let channels = port.grant?.captureChannels ?? 0
            let now = Known(latency: channels > 0 ? port.inputLatency : 0, channels: channels)
            if now == known || known.isOver { return }
            known = now
            if channels == 0 { return silence() }
            input?.connect(latency: now.latency, channels: channels)
            playback?.connect(latency: now.latency)
        }
    }

    /// Silence from the next slice on, for good.
    func disconnect() {
        known.withLock { known in
            known = Known(isOver: true)
            silence()
        }
    }

    private func silence() {
        input?.disconnect()
        playback?.disconnect()
    }
}
