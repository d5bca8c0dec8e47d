internal import Graphs
internal import RealtimeCore
internal import SampleRate
internal import UnitAPI

/// A render callback of the program as a unit of the engine; or, without a layout of its own, an input callback, which makes
/// nothing.
final class SourceUnit: @unchecked Sendable {
    let callback: AURenderCallbackStruct
    private let bus: UInt32
    private let memory: SliceMemory?
    /// The plan that it is part of; nil in an engine of another module.
    private let host: Unmanaged<RenderHost>?
    /// What has the callback's data.
    private let owner: AnyObject?
    private let captured: RealtimeCore.AudioBuffer
    private let capturedChannels: Int
    /// Where the program's format has another rate than the plan; and the frames that it was asked for.
    private let rate: PulledRate?
    private var asked = 0
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(
        _ callback: AURenderCallbackStruct, bus: UInt32, _ layout: PCMLayout?, host: RenderHost?, owner: AnyObject? = nil,
        capturedChannels: Int = 0, rate engineRate: Double, frames: Int
    ) throws {
        (self.callback, self.bus, self.capturedChannels, self.owner) = (callback, bus, capturedChannels, owner)
        self.host = host.map { Unmanaged.passUnretained($0) }
        if let layout, layout.rate != engineRate {
            rate = try PulledRate(
                from: Int(layout.rate.rounded()), to: Int(engineRate.rounded()), channels: layout.channels, frames: frames)
        } else {
            rate = nil
        }
        let most = rate?.capacity ?? frames
        memory = layout.map { SliceMemory($0, frames: most) }
        outputs = .allocate(capacity: layout?.channels ?? 1)
        captured = RealtimeCore.AudioBuffer(channels: capturedChannels, capacity: max(1, frames))
    }

    deinit { outputs.deallocate() }

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
            for index in 0..<frames { captured.channels[channel][index] = input[index] }
        }
        guard let memory else {
            _ = ask(frames, io.sampleTime, frames)
            io.markSilent()
            return .sounding
        }
        guard let rate else {
            guard ask(frames, io.sampleTime, frames) else {
                io.markSilent()
                return .sounding
            }
            for channel in 0..<memory.layout.channels { memory.decode(channel, frames, to: io.output(0, channel).base) }
            return .sounding
        }
        for channel in 0..<memory.layout.channels { (outputs + channel).initialize(to: io.output(0, channel).base) }
        let time = io.sampleTime
        let isMade = rate.pull(outputs, frames: frames) { places, count in
            let isThere = ask(count, time, frames)
            for channel in 0..<memory.layout.channels {
                if isThere {
                    memory.decode(channel, count, to: places[channel])
                } else {
                    for index in 0..<count { places[channel][index] = 0 }
                }
            }
        }
        if !isMade { io.markSilent() }
        return .sounding
    }

    /// Calls the program for so many frames of a slice. False where it has none, or says that they are silent.
    private func ask(_ count: Int, _ time: SampleTime, _ frames: Int) -> Bool {
        memory?.clear(count)
        var flags = AudioUnitRenderActionFlags(), stamp = AudioTimeStamp()
        stamp.mHostTime = mach_absolute_time()
        (stamp.mSampleTime, stamp.mFlags) = (Float64(time.rawValue), .sampleHostTimeValid)
        func call() -> OSStatus {
            if rate != nil { stamp.mSampleTime = Float64(asked) }
            return callback.inputProc?(
                callback.inputProcRefCon ?? UnsafeMutableRawPointer(bitPattern: 1)!, &flags, &stamp, bus, UInt32(count),
                memory?.list) ?? kAudioUnitErr_NoConnection
        }
        let planes = capturedChannels > 0 ? captured.channels : nil
        let status: OSStatus =
            host.map { place in
                place._withUnsafeGuaranteedRef { host in
                    stamp = host.slices.begin(time, frames)
                    let context = RenderContext(host: place, captured: planes, capturedChannels: capturedChannels, frames: frames)
                    let status = context.call(call)
                    if status != noErr { host.lastError = status }
                    return status
                }
            } ?? call()
        asked += count
        return status == noErr && !flags.contains(.unitRenderAction_OutputIsSilence)
    }
}
