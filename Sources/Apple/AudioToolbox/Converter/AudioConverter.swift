internal import SampleRate

final class ConverterObject: HandledObject, @unchecked Sendable {
    let pipe: PCMPipe
    var isEnded = false
    var primeMethod = kConverterPrimeMethod_Normal
    var complexity = kAudioConverterSampleRateConverterComplexity_Normal
    var quality = kAudioConverterQuality_High

    init?(_ input: PCMLayout, _ output: PCMLayout) {
        guard let pipe = PCMPipe(input, output) else { return nil }
        self.pipe = pipe
    }
}

/// Makes a converter between two kinds of linear PCM: samples, byte order, interleaving, channels, rate.
///
/// One channel goes to all; else channels keep their numbers, those that lack are silent. Other formats:
/// `kAudioConverterErr_FormatNotSupported`.
@discardableResult public func AudioConverterNew(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    outAudioConverter.pointee = nil
    guard let input = PCMLayout(inSourceFormat.pointee), let output = PCMLayout(inDestinationFormat.pointee) else {
        return kAudioConverterErr_FormatNotSupported
    }
    if input.rate != output.rate {
        if !(1...1_000_000).contains(input.rate) { return kAudioConverterErr_InputSampleRateOutOfRange }
        if !(1...1_000_000).contains(output.rate) { return kAudioConverterErr_OutputSampleRateOutOfRange }
    }
    guard let converter = ConverterObject(input, output) else { return kAudioConverterErr_FormatNotSupported }
    outAudioConverter.pointee = Handles.add(converter)
    return noErr
}

/// Makes a converter; which codec is named matters not, since linear PCM needs none.
@discardableResult public func AudioConverterNewSpecific(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inNumberClassDescriptions: UInt32,
    _ inClassDescriptions: UnsafePointer<AudioClassDescription>?,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus { AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter) }

/// Ends a converter.
@discardableResult public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    Handles.remove(inAudioConverter, ConverterObject.self) == nil ? kAudio_ParamError : noErr
}

/// Forgets what was not given out yet, for a new beginning.
@discardableResult public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        converter.pipe.reset()
        converter.isEnded = false
        return noErr
    }
}

/// Converts one whole buffer; only where the rate stays and each side has one buffer.
@discardableResult public func AudioConverterConvertBuffer(
    _ inAudioConverter: AudioConverterRef, _ inInputDataSize: UInt32, _ inInputData: UnsafeRawPointer,
    _ ioOutputDataSize: UnsafeMutablePointer<UInt32>, _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        let pipe = converter.pipe
        guard !pipe.changesRate, pipe.input.planes == 1, pipe.output.planes == 1 else {
            return kAudioConverterErr_OperationNotSupported
        }
        let frames = Int(inInputDataSize) / pipe.input.bytesPerFrame
        guard frames * pipe.input.bytesPerFrame == Int(inInputDataSize) else { return kAudioConverterErr_InvalidInputSize }
        func list(_ layout: PCMLayout, _ size: UInt32, _ data: UnsafeMutableRawPointer) -> AudioBufferList {
            AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(mNumberChannels: UInt32(layout.channels), mDataByteSize: size, mData: data))
        }
        var source = list(pipe.input, inInputDataSize, UnsafeMutableRawPointer(mutating: inInputData))
        var target = list(pipe.output, ioOutputDataSize.pointee, outOutputData)
        let status = converter.convert(frames, &source, &target)
        if status == noErr { ioOutputDataSize.pointee = target.mBuffers.mDataByteSize }
        return status
    }
}

/// Converts as many frames as it says from one buffer list into another; only where the rate stays.
@discardableResult public func AudioConverterConvertComplexBuffer(
    _ inAudioConverter: AudioConverterRef, _ inNumberPCMFrames: UInt32, _ inInputData: UnsafePointer<AudioBufferList>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        converter.convert(Int(inNumberPCMFrames), UnsafeMutablePointer(mutating: inInputData), outOutputData)
    }
}

/// Converts what a callback gives until so many frames came out, or the callback has none left (0 packets and no error).
///
/// An error of the callback ends the call and is returned, with what came out before it.
@discardableResult public func AudioConverterFillComplexBuffer(
    _ inAudioConverter: AudioConverterRef, _ inInputDataProc: AudioConverterComplexInputDataProc,
    _ inInputDataProcUserData: UnsafeMutableRawPointer?, _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
    _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        let pipe = converter.pipe, wanted = Int(ioOutputDataPacketSize.pointee)
        ioOutputDataPacketSize.pointee = 0
        guard let target = BufferPlaces.of(outOutputData, pipe.output), target.frames >= wanted else {
            return kAudioConverterErr_InvalidOutputSize
        }
        let status = converter.fill(inAudioConverter, inInputDataProc, inInputDataProcUserData, frames: wanted)
        let made = pipe.pull(target.places, frames: wanted)
        BufferPlaces.setFrames(made, outOutputData, pipe.output)
        ioOutputDataPacketSize.pointee = UInt32(made)
        return status
    }
}

extension ConverterObject {
    fileprivate func convert(
        _ frames: Int, _ input: UnsafeMutablePointer<AudioBufferList>, _ output: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        if pipe.changesRate { return kAudioConverterErr_OperationNotSupported }
        guard let source = BufferPlaces.of(input, pipe.input), source.frames >= frames else {
            return kAudioConverterErr_InvalidInputSize
        }
        guard let target = BufferPlaces.of(output, pipe.output), target.frames >= frames else {
            return kAudioConverterErr_InvalidOutputSize
        }
        guard pipe.push(source.places.map { UnsafeRawPointer($0) }, frames: frames) else {
            return kAudioConverterErr_UnspecifiedError
        }
        BufferPlaces.setFrames(pipe.pull(target.places, frames: frames), output, pipe.output)
        return noErr
    }

    /// Asks the callback until so many frames are ready.
    fileprivate func fill(
        _ handle: AudioConverterRef, _ ask: AudioConverterComplexInputDataProc, _ userData: UnsafeMutableRawPointer?, frames: Int
    ) -> OSStatus {
        let list = AudioBufferList.allocate(maximumBuffers: pipe.input.planes)
        defer { free(list.unsafeMutablePointer) }
        while pipe.readyFrames < frames, !isEnded {
            list.count = pipe.input.planes
            for index in list.indices {
                let channels = pipe.input.isInterleaved ? pipe.input.channels : 1
                list[index] = AudioBuffer(mNumberChannels: UInt32(channels), mDataByteSize: 0, mData: nil)
            }
            var packets = UInt32(min(32_768, pipe.inputFrames(for: frames - pipe.readyFrames)))
            let status = ask(handle, &packets, list.unsafeMutablePointer, nil, userData)
            if status != noErr { return status }
            if packets == 0 {
                isEnded = true
                return pipe.flush() ? noErr : kAudioConverterErr_UnspecifiedError
            }
            guard let source = BufferPlaces.of(list.unsafeMutablePointer, pipe.input), source.frames >= Int(packets) else {
                return kAudioConverterErr_InvalidInputSize
            }
            guard pipe.push(source.places.map { UnsafeRawPointer($0) }, frames: Int(packets)) else {
                return kAudioConverterErr_UnspecifiedError
            }
        }
        return noErr
    }
}
