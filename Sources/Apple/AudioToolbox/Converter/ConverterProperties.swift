internal import SampleRate

private let settable = [
    kAudioConverterChannelMap, kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity,
    kAudioConverterPrimeMethod,
]

/// The size of a property and whether it can be set.
@discardableResult public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        let answer = converter.answer(inPropertyID, 0)
        return answer.giveInfo(settable: settable.contains(inPropertyID) ? 4 : nil, outSize, outWritable)
    }
}

/// Reads a property. The two that calculate a buffer's size take the other side's size in the same memory.
@discardableResult public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        let fault = kAudioConverterErr_BadPropertySizeError
        let given = PropertyMemory.take(UInt32.self, ioPropertyDataSize.pointee, outPropertyData)
        return converter.answer(inPropertyID, given).give(ioPropertyDataSize, outPropertyData, tooSmall: fault)
    }
}

extension ConverterObject {
    fileprivate func answer(_ property: AudioConverterPropertyID, _ given: UInt32?) -> PropertyAnswer {
        let input = pipe.input, output = pipe.output
        func calculate(_ from: PCMLayout, _ to: PCMLayout) -> PropertyAnswer {
            guard let given else { return .status(kAudioConverterErr_BadPropertySizeError) }
            let ratio = from.rate > 0 ? to.rate / from.rate : 1
            let frames = (Double(Int(given) / from.bytesPerFrame) * ratio).rounded(.up)
            return .value(UInt32(clamping: Int(frames) * to.bytesPerFrame))
        }
        return switch property {
        case kAudioConverterCurrentInputStreamDescription: .value(input.description)
        case kAudioConverterCurrentOutputStreamDescription: .value(output.description)
        case kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMaximumInputPacketSize:
            .value(UInt32(input.bytesPerFrame))
        case kAudioConverterPropertyMinimumOutputBufferSize, kAudioConverterPropertyMaximumOutputPacketSize:
            .value(UInt32(output.bytesPerFrame))
        case kAudioConverterPropertyCalculateInputBufferSize: calculate(output, input)
        case kAudioConverterPropertyCalculateOutputBufferSize: calculate(input, output)
        case kAudioConverterSampleRateConverterQuality: .value(quality)
        case kAudioConverterSampleRateConverterComplexity: .value(complexity)
        case kAudioConverterPrimeMethod: .value(primeMethod)
        case kAudioConverterChannelMap: .array(pipe.map.map { Int32($0 ?? -1) })
        case kAudioConverterPrimeInfo: .value(AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0))
        default: .status(kAudioConverterErr_PropertyNotSupported)
        }
    }
}

/// Sets a property: channel map, quality and complexity of the change of rate, prime method (which changes nothing).
@discardableResult public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self) { converter in
        var size: UInt32 = 0
        let status = converter.answer(inPropertyID, 0).giveSize(&size)
        if status != noErr { return status }
        guard settable.contains(inPropertyID) else { return kAudioConverterErr_OperationNotSupported }
        guard inPropertyDataSize == size, let value = PropertyMemory.take(UInt32.self, inPropertyDataSize, inPropertyData)
        else { return kAudioConverterErr_BadPropertySizeError }
        switch inPropertyID {
        case kAudioConverterChannelMap:
            var map = [Int32](repeating: 0, count: converter.pipe.output.channels)
            map.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(start: inPropertyData, count: $0.count)) }
            guard map.allSatisfy({ $0 < converter.pipe.input.channels }) else { return kAudio_ParamError }
            converter.pipe.map = map.map { $0 < 0 ? nil : Int($0) }
        case kAudioConverterSampleRateConverterQuality:
            converter.quality = value
            converter.pipe.quality =
                value <= kAudioConverterQuality_Low ? .medium : value < kAudioConverterQuality_Max ? .high : .veryHigh
        case kAudioConverterSampleRateConverterComplexity:
            converter.complexity = value
            if value == kAudioConverterSampleRateConverterComplexity_Mastering { converter.pipe.quality = .veryHigh }
        default: converter.primeMethod = value
        }
        return noErr
    }
}
