import AudioToolbox
import Testing

/// An audio unit of a test, rendered slice by slice without a device.
final class RenderedUnit {
    let unit: AudioUnit
    private let isOwned: Bool
    private var time = AudioTimeStamp()

    init(_ type: OSType, _ subtype: OSType) throws {
        var wanted = AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0, componentFlagsMask: 0)
        let component = try #require(AudioComponentFindNext(nil, &wanted))
        var made: AudioUnit?
        try #require(AudioComponentInstanceNew(component, &made) == noErr)
        guard let made else { throw CancellationError() }
        unit = made
        isOwned = true
        time.mFlags = .sampleTimeValid
    }

    /// A unit that something else disposes of.
    init(_ unit: AudioUnit) {
        self.unit = unit
        isOwned = false
        time.mFlags = .sampleTimeValid
    }

    deinit { if isOwned { AudioComponentInstanceDispose(unit) } }

    @discardableResult
    func set<Value>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0,
        _ value: Value
    ) -> OSStatus {
        withUnsafeBytes(of: value) { AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count)) }
    }

    func get<Value>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0,
        _ start: Value
    ) -> (OSStatus, Value) {
        var value = start, size = UInt32(MemoryLayout<Value>.size)
        let status = withUnsafeMutableBytes(of: &value) {
            AudioUnitGetProperty(unit, id, scope, element, $0.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1)!, &size)
        }
        return (status, value)
    }

    @discardableResult
    func listen(_ proc: @escaping AURenderCallback, _ data: UnsafeMutableRawPointer, _ element: AudioUnitElement = 0) -> OSStatus
    {
        set(
            kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, element,
            AURenderCallbackStruct(inputProc: proc, inputProcRefCon: data))
    }

    /// So many frames of single precision, two channels.
    func render(_ frames: Int, slice: Int = 512) throws -> [[Float]] {
        var sound: [[Float]] = [[], []]
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * slice)
        defer { memory.deallocate() }
        while sound[0].count < frames {
            let count = min(slice, frames - sound[0].count)
            for channel in 0..<2 {
                list[channel] = AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(4 * count), mData: memory + channel * slice)
            }
            var flags = AudioUnitRenderActionFlags()
            let status = AudioUnitRender(unit, &flags, &time, 0, UInt32(count), list.unsafeMutablePointer)
            try #require(status == noErr, "render: \(status)")
            for channel in 0..<2 { sound[channel] += UnsafeBufferPointer(start: memory + channel * slice, count: count) }
            time.mSampleTime += Double(count)
        }
        return sound
    }
}

/// A sine of 440 Hz in whatever format, as a program's callback makes it.
final class SineSource {
    let format: AudioStreamBasicDescription
    var frame = 0
    var buses: [UInt32] = []
    var times: [Double] = []
    var status = noErr

    init(_ format: AudioStreamBasicDescription) { self.format = format }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func value(_ frame: Int, _ rate: Double) -> Double { 0.5 * sin(2 * .pi * 440 * Double(frame) / rate) }

    static let proc: AURenderCallback = { data, _, stamp, bus, frames, list in
        let source = Unmanaged<SineSource>.fromOpaque(data).takeUnretainedValue()
        guard let list else { return kAudio_ParamError }
        source.fill(UnsafeMutableAudioBufferListPointer(list), Int(frames))
        source.buses.append(bus)
        source.times.append(stamp.pointee.mSampleTime)
        return source.status
    }

    private func fill(_ buffers: UnsafeMutableAudioBufferListPointer, _ frames: Int) {
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let fraction = (format.mFormatFlags & kLinearPCMFormatFlagsSampleFractionMask) >> kLinearPCMFormatFlagsSampleFractionShift
        for buffer in buffers {
            let channels = Int(buffer.mNumberChannels)
            for index in 0..<frames {
                let value = Self.value(frame + index, format.mSampleRate)
                for channel in 0..<channels {
                    let place = index * channels + channel
                    if isFloat {
                        buffer.mData?.assumingMemoryBound(to: Float.self)[place] = Float(value)
                    } else if fraction > 0 {
                        buffer.mData?.assumingMemoryBound(to: Int32.self)[place] = Int32(
                            (value * Double(1 << fraction)).rounded())
                    } else {
                        buffer.mData?.assumingMemoryBound(to: Int16.self)[place] = Int16((value * 32_768).rounded())
                    }
                }
            }
        }
        frame += frames
    }
}

/// The frequency of a tone by the phase that it has gained between two stretches.
func frequency(_ samples: [Float], rate: Double, near hertz: Double) -> Double {
    func phase(_ start: Int) -> Double {
        var real = 0.0, imaginary = 0.0
        for index in 0..<4_410 {
            let window = 1 - cos(2 * .pi * Double(index) / 4_410), turn = 2 * .pi * hertz * Double(start + index) / rate
            real += window * Double(samples[start + index]) * cos(turn)
            imaginary += window * Double(samples[start + index]) * sin(turn)
        }
        return atan2(real, imaginary)
    }
    let distance = samples.count - 4_411
    var change = phase(distance) - phase(0)
    change -= 2 * .pi * (change / (2 * .pi)).rounded()
    return hertz + change * rate / (2 * .pi * Double(distance))
}
