public typealias AUAudioUnitStatus = OSStatus
public typealias AUEventSampleTime = Int64
public typealias AUAudioFrameCount = UInt32
public typealias AUAudioChannelCount = UInt32
public typealias AUAudioObjectID = UInt32
public typealias AUParameterAddress = UInt64
public typealias AUValue = Float

/// The time of an event of the next slice; plus a number of frames, so many frames after its start.
public let AUEventSampleTimeImmediate = AUEventSampleTime(bitPattern: 0xFFFF_FFFF_0000_0000)

/// Gives a unit the frames of an input bus, on the thread that renders.
public typealias AURenderPullInputBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
    UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus

/// Renders an output bus: flags, time, frames, bus, buffers, and where the unit's input comes from.
public typealias AURenderBlock = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int,
    UnsafeMutablePointer<AudioBufferList>, AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// Called when frames were captured, on the render thread; the unit's `renderBlock` gives them.
public typealias AUInputHandler = (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int
) -> Void

/// Sends MIDI messages, or one of System Exclusive: time, cable, bytes and their number.
public typealias AUScheduleMIDIEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) -> Void

/// Sets a parameter: time, frames of a ramp, address, value.
public typealias AUScheduleParameterBlock = (AUEventSampleTime, AUAudioFrameCount, AUParameterAddress, AUValue) -> Void

/// In which process a component runs; here always that of the program.
public struct AudioComponentInstantiationOptions: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Both make it run in the program.
    public static let loadOutOfProcess = AudioComponentInstantiationOptions(rawValue: 1)
    public static let loadInProcess = AudioComponentInstantiationOptions(rawValue: 2)
}

/// A preset by its number, which is negative for those of the user, and its name.
open class AUAudioUnitPreset: NSObject {
    open var number = -1
    open var name = ""
}
