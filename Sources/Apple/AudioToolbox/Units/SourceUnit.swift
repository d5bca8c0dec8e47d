internal import Graphs
internal import RealtimeCore
internal import UnitAPI

/// A render callback of the program as a unit of the engine; or, without a layout of its own, an input callback, which makes
/// nothing.
final class SourceUnit: @unchecked Sendable {
    let callback: AURenderCallbackStruct
    private let bus: UInt32
    private let memory: SliceMemory?
    private let host: Unmanaged<RenderHost>
    private let captured: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    private let capturedChannels: Int

    init(
        _ callback: AURenderCallbackStruct, bus: UInt32, _ layout: PCMLayout?, host: RenderHost, capturedChannels: Int,
        frames: Int
    ) {
        (self.callback, self.bus, self.capturedChannels) = (callback, bus, capturedChannels)
        self.host = Unmanaged.passUnretained(host)
        memory = layout.map { SliceMemory($0, frames: frames) }
        if capturedChannels > 0 {
            let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: capturedChannels)
            for channel in 0..<capturedChannels { (planes + channel).initialize(to: .allocate(capacity: frames)) }
            captured = planes
        } else {
            captured = nil
        }
    }

    deinit {
        guard let captured else { return }
        for channel in 0..<capturedChannels { captured[channel].deallocate() }
        captured.deallocate()
    }

    func makeInstance(_ setup: UnitSetup) -> UnitInstance {
        let channels = memory?.layout.channels ?? 1
        return UnitInstance.callback(
            "callback", inputs: capturedChannels > 0 ? [capturedChannels] : [], outputs: [channels], setup: setup
        ) { [self] io in render(io) }
    }

    private func render(_ io: borrowing RenderIO) -> RenderStatus {
        let frames = io.frames
        for channel in 0..<capturedChannels {
            let input = io.input(0, channel)
            for index in 0..<frames { captured?[channel][index] = input[index] }
        }
        memory?.clear(frames)
        var flags = AudioUnitRenderActionFlags()
        var status = kAudioUnitErr_NoConnection
        host._withUnsafeGuaranteedRef { host in
            var stamp = host.begin(io.sampleTime, frames)
            let context = RenderContext(
                host: self.host, captured: captured, capturedChannels: capturedChannels, frames: frames)
            if let proc = callback.inputProc {
                let memory = memory, bus = bus, callback = callback
                status = context.call {
                    proc(
                        callback.inputProcRefCon ?? UnsafeMutableRawPointer(bitPattern: 1)!, &flags, &stamp, bus,
                        UInt32(frames), memory?.list)
                }
            }
            if status != noErr { host.lastError = status }
        }
        guard let memory, status == noErr, !flags.contains(.unitRenderAction_OutputIsSilence) else {
            io.markSilent()
            return .sounding
        }
        for channel in 0..<memory.layout.channels { memory.decode(channel, frames, to: io.output(0, channel).base) }
        return .sounding
    }
}
