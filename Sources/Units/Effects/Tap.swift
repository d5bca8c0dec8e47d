import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

/// A tap: the program can read what is connected to it, in blocks with their sample times.
///
/// It only listens: it has no output, so nothing it does can be heard. Its blocks begin on multiples of 256 frames of sample
/// time for any slices, unless it is set to deliver every slice at once; blocks for which there is no room because the
/// program does not read are dropped and counted. `Engine.tap(_:)` makes one.
package struct Tap: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "tapp", manufacturer: .carillon), name: "tap",
        summary: "Makes what is connected to it readable by the program.", inputs: [.init("main")], outputs: [],
        properties: ["seconds", "follows-slices"], widths: 1...64, readouts: ["dropped-frames"])

    package typealias Parameter = NoParameter

    static var blockFrames: Int { @_noLocks get { 256 } }

    /// Hands the blocks to the program.
    package let reader: TapReader
    private let queue: Unmanaged<CaptureQueue>
    private let block: AudioBuffer
    private let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private let followsSlices: Bool
    private var filled = 0
    private var time = SampleTime.zero

    /// Property `seconds`: how much may wait to be read, 0.01...600; 1 if it is left out. `follows-slices`: true for blocks
    /// as the slices are, of 64 frames at most, so that nothing that was rendered is held back. `channels`: 1...64, 2 if it
    /// is left out.
    package init(_ setup: UnitSetup) throws(UnitError) {
        let seconds: Double
        switch setup.properties["seconds"] {
        case nil: seconds = 1
        case .number(let number): seconds = number
        case .integer(let number): seconds = Double(number)
        default: seconds = 0
        }
        guard (0.01...600).contains(seconds) else {
            throw .invalidProperty(unit: "tap", property: "seconds", reason: "choose a number from 0.01 to 600")
        }
        switch setup.properties["follows-slices"] {
        case nil: followsSlices = false
        case .flag(let isOn): followsSlices = isOn
        default:
            throw .invalidProperty(unit: "tap", property: "follows-slices", reason: "choose true or false")
        }
        channelCount = setup.channels(of: Self.descriptor)
        // Short slices take a whole block each.
        reader = TapReader(
            channels: channelCount, frames: Int(seconds * setup.sampleRate),
            blockFrames: followsSlices ? Self.blockFrames / 4 : Self.blockFrames)
        queue = Unmanaged.passUnretained(reader.queue)
        block = AudioBuffer(channels: channelCount, capacity: Self.blockFrames)
        channels = block.channels
    }

    /// The reader.
    package var companion: UnitCompanion? { reader }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        var done = 0
        while done < io.frames {
            let now = io.sampleTime + done
            // After a pause, for a tap sleeps in no other way, begin anew.
            if filled > 0, now - time != filled { push() }
            if filled == 0 { time = now }
            let room = Self.blockFrames &- Int(truncatingIfNeeded: now.rawValue & Int64(Self.blockFrames &- 1))
            let count = min(room, io.frames &- done)
            for c in 0..<channelCount { rt_copy(channels[c] + filled, io.input(0, c).base + done, count) }
            filled &+= count
            done &+= count
            if count == room { push() }
        }
        if followsSlices && filled > 0 { push() }
        io.publish(0, Float(Int32(truncatingIfNeeded: queue._withUnsafeGuaranteedRef { $0.droppedFrames })))
        // A tap passes on silence too: the program counts on blocks without gaps.
        return .sounding
    }

    @_noLocks package mutating func reset() { filled = 0 }

    @_noLocks private mutating func push() {
        let channels = channels, channelCount = channelCount, count = filled, time = time
        queue._withUnsafeGuaranteedRef { $0.push(channels, channelCount: channelCount, frames: count, at: time) }
        filled = 0
    }
}
