import EngineCore
import Graphs
import RealtimeCore
import RemoteIO
import Reports

/// The request of a session to its device, and the parts of its graph that hear the device.
struct DeviceWish {
    let request: DeviceRequest
    let feeds: DeviceFeeds

    /// The request of a session: the loudspeakers that the graph makes sound for, and the input that it wants.
    init(_ options: LiveOptions, _ engine: Engine) throws(Fault) {
        var request = options.stream
        let made = engine.outputLayout.heard
        (request.layout, request.channels) = (made, made.channels)
        request.deviceLayout = options.device.layout
        do { feeds = try DeviceFeeds(of: engine.graph) } catch {
            switch error {
            case .inputs(let count):
                throw .option(name: "patch", value: "\(count) inputs", remedy: "leave one unit input")
            case .voiceProcessors(let count):
                throw .option(
                    name: "patch", value: "\(count) voice processors that hear the device",
                    remedy: "leave one, or connect playback of the others")
            }
        }
        if feeds.playback != nil, options.capturePath != nil {
            throw .option(
                name: "capture", value: "a patch whose voice-processor hears the device",
                remedy: "record a session or cancel its echo, or connect what plays to the processor's playback")
        }
        if let input = options.device.input {
            if feeds.input == nil {
                throw .option(
                    name: "input-device", value: input, remedy: "the patch has no unit input that would hear it; add one")
            }
            if !options.device.names.contains(input) { (request.captureDevice, request.followsCapture) = (input, true) }
        }
        request.capture = false
        if let input = feeds.input { request.capture(for: input) }
        self.request = request
    }

    /// Opens the device. If only the patch asks for a microphone and the device has none, it plays without one.
    /// `capture` gets the rendered sound; nil means the voice processor, if one listens. Returns remarks on what differs.
    func open(
        _ port: any DevicePort, _ renderer: Renderer, capture: CaptureQueue?, mustCapture: Bool
    ) throws(DeviceError) -> [Remark] {
        var remarks: [Remark] = [], grant: DeviceGrant
        do throws(DeviceError) { grant = try feeds.open(port, renderer, request, capture: capture) } catch {
            if !request.capture || mustCapture { throw error }
            var deaf = request
            deaf.capture = false
            grant = try feeds.open(port, renderer, deaf, capture: capture)
            remarks.append(
                Remark(
                    .missing, "patch", "its unit input is silent: \(error)", remedy: "choose a device that captures"))
        }
        if let made = grant.foldedLayout {
            remarks.append(
                Remark(
                    .substituted, "patch",
                    "it plays on \(made.rawValue); \(grant.device) has \(grant.layout?.rawValue ?? "fewer") speakers, and gets it "
                        + "folded down"))
        }
        return remarks
    }
}
