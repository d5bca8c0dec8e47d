internal import EngineCore
internal import MIDI
internal import RealtimeCore

extension UnitObject {
    func setInputs(_ count: Int) {
        inputs = Array(inputs.prefix(count)) + Array(repeating: Element(), count: max(0, count - inputs.count))
        fillValues()
    }

    func connect(_ source: UnitObject, _ bus: Int, to input: Int) -> OSStatus {
        guard source.outputs.indices.contains(bus) else { return kAudioUnitErr_InvalidElement }
        // Captured sound may lead through an output unit to its device.
        let isThrough = source === self && kind.captures && bus == 1 && input == 0
        if !isThrough, source.isFed(by: self) { return kAudioUnitErr_InvalidPropertyValue }
        if source.isInitialized, source.own?.isRunning == true, !isThrough { return kAudioUnitErr_InvalidPropertyValue }
        return setSource(.unit(source, bus: bus), of: input)
    }

    func load(_ path: String, instrument: (bank: UInt8, isDrums: Bool, program: UInt8)?) -> OSStatus {
        guard access(path, R_OK) == 0 else { return kAudioUnitErr_InvalidFile }
        let former = (sounds.bank, sounds.instrument)
        (sounds.bank, sounds.instrument) = (path, instrument)
        // A unit that is part of no plan yet chooses when it is.
        guard let host else { return noErr }
        do {
            if former.0 != path { try host.replace(self) }
        } catch {
            (sounds.bank, sounds.instrument) = former
            report("\(error)")
            return kAudioUnitErr_InvalidFile
        }
        chooseInstrument()
        return noErr
    }

    /// Chooses the instrument of a sampler on all channels, since sequences play others than that of `soleChannel`.
    func chooseInstrument() {
        guard let instrument = sounds.instrument else { return }
        for channel in UInt8(0)..<16 {
            _ = send(.partMode(instrument.isDrums ? .drums : .melodic, port: 0, channel: channel))
            if !instrument.isDrums { _ = send(.message(MIDIMessage(status: 0xB0 | channel, data1: 0, data2: instrument.bank))) }
            _ = send(.message(MIDIMessage(status: 0xC0 | channel, data1: instrument.program)))
        }
    }

    var soleChannel: UInt8? {
        guard case .music(true) = kind.work else { return nil }
        return sounds.instrument?.isDrums == true ? 9 : 0
    }

    func send(_ message: MIDIMessage, after frames: Int) -> OSStatus {
        message.on(sole: soleChannel).map { send(.message($0), after: frames) } ?? noErr
    }

    func schedule(_ region: ScheduledAudioFileRegion) -> OSStatus {
        guard let path = Handles.find(region.mAudioFile, AudioFileObject.self)?.store.path else {
            return kAudioUnitErr_InvalidFile
        }
        guard region.mStartFrame >= 0, region.mTimeStamp.mSampleTime.isFinite, abs(region.mTimeStamp.mSampleTime) < 1e15 else {
            return kAudioUnitErr_InvalidPropertyValue
        }
        nonisolated(unsafe) let copy = region
        var completion: (@Sendable () -> Void)?
        if let proc = region.mCompletionProc {
            completion = {
                var region = copy
                proc(region.mCompletionProcUserData, &region, noErr)
            }
        }
        scheduledFiles.schedule(
            ScheduledFiles.Region(
                path: path, start: region.mStartFrame, frames: region.mFramesToPlay, passes: Int(region.mLoopCount) + 1,
                offset: Int64(max(0, region.mTimeStamp.mSampleTime)), completion: completion))
        return changed()
    }

    /// Starts the scheduled files; a time below 0 means the next slice.
    func start(at stamp: AudioTimeStamp) -> OSStatus {
        guard let host else { return kAudioUnitErr_Uninitialized }
        let isNow = !stamp.mFlags.contains(.sampleTimeValid) || !(stamp.mSampleTime >= 0) || stamp.mSampleTime > 1e15
        let time = isNow ? nil : SampleTime(Int64(stamp.mSampleTime))
        return UnitFaults.status { try scheduledFiles.begin(at: time, now: host.engine.now) }
    }
}
