internal import SampleRate

private func info(_ property: AudioConverterPropertyID, _ converter: ConverterObject) -> PropertyInfo? {
    switch property {
    case kAudioConverterCurrentInputStreamDescription, kAudioConverterCurrentOutputStreamDescription: PropertyInfo(40)
    case kAudioConverterChannelMap: PropertyInfo(4 * converter.pipe.output.channels, isWritable: true)
    case kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMinimumOutputBufferSize,
        kAudioConverterPropertyMaximumInputPacketSize, kAudioConverterPropertyMaximumOutputPacketSize,
        kAudioConverterPropertyCalculateInputBufferSize, kAudioConverterPropertyCalculateOutputBufferSize:
        PropertyInfo(4)
    case kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity, kAudioConverterPrimeMethod:
        PropertyInfo(4, isWritable: true)
    case kAudioConverterPrimeInfo: PropertyInfo(8)
    default: nil
    }
}

/// The size of a property and whether it can be set.
@discardableResult public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self, else: kAudio_ParamError) { converter in
        info(inPropertyID, converter)?.give(outSize, outWritable) ?? kAudioConverterErr_PropertyNotSupported
    }
}

/// Reads a property. The two that calculate a buffer's size take the other side's size in the same memory.
@discardableResult public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self, else: kAudio_ParamError) { converter in
        let fault = kAudioConverterErr_BadPropertySizeError
        guard info(inPropertyID, converter) != nil else { return kAudioConverterErr_PropertyNotSupported }
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
        default: .value(AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0))
        }
    }
}

/// Sets a property: channel map, quality and complexity of the change of rate, prime method (which changes nothing).
@discardableResult public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioConverter, ConverterObject.self, else: kAudio_ParamError) { converter in
        guard let info = info(inPropertyID, converter) else { return kAudioConverterErr_PropertyNotSupported }
        guard info.isWritable else { return kAudioConverterErr_OperationNotSupported }
        guard inPropertyDataSize == info.size, let value = PropertyMemory.take(UInt32.self, inPropertyDataSize, inPropertyData)
        else {
            return kAudioConverterErr_BadPropertySizeError
        }
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
