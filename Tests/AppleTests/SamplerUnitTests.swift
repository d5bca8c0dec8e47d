import AudioToolbox
import Testing

@testable import AudioFiles

/// Instruments and presets of audio units.
@Suite struct SamplerUnitTests {
    private func loudest(_ unit: RenderedUnit, key: UInt32) throws -> Double {
        #expect(MusicDeviceMIDIEvent(unit.unit, 0x95, key, 127, 0) == noErr)
        let sound = try unit.render(22_050)[0]
        #expect(MusicDeviceMIDIEvent(unit.unit, 0x85, key, 0, 0) == noErr)
        // A file without a loop plays to its end, two seconds an octave below.
        _ = try unit.render(88_200)
        let candidates = [220.5, 441.0, 882.0]
        return candidates.max { level(sound, $0) < level(sound, $1) } ?? 0
    }

    private func level(_ sound: [Float], _ hertz: Double) -> Double {
        var real = 0.0, imaginary = 0.0
        for index in 0..<8_820 {
            let turn = 2 * Double.pi * hertz * Double(index) / 44_100
            real += Double(sound[4_410 + index]) * cos(turn)
            imaginary += Double(sound[4_410 + index]) * sin(turn)
        }
        return (real * real + imaginary * imaginary).squareRoot()
    }

    @Test func samplerPlaysAudioFilesAndSettings() throws {
        let folder = try SoundFolder()
        try folder.write("tone.wav", .wav, .float32, frames: 44_100, channels: 1)
        let sampler = try RenderedUnit(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler)
        #expect(AudioUnitInitialize(sampler.unit) == noErr)
        let url = folder.url("tone.wav")
        var data = AUSamplerInstrumentData(
            fileURL: Unmanaged.passUnretained(url), instrumentType: UInt8(kInstrumentType_Audiofile), bankMSB: 0, bankLSB: 0,
            presetID: 0)
        #expect(sampler.set(kAUSamplerProperty_LoadInstrument, 0, 0, data) == noErr)
        #expect(try loudest(sampler, key: 60) == 441)
        #expect(try loudest(sampler, key: 72) == 882)
        let zone: [String: Any] = ["waveform": 1, "root key": 72, "enabled": true]
        let settings: NSDictionary = [
            "Instrument": ["Layers": [["Zones": [zone]]]], "file-references": ["Sample:1": url.path ?? ""],
        ]
        #expect(sampler.set(kAudioUnitProperty_ClassInfo, 0, 0, Unmanaged.passUnretained(settings).toOpaque()) == noErr)
        #expect(try loudest(sampler, key: 60) == 220.5)
        data.instrumentType = UInt8(kInstrumentType_EXS24)
        #expect(sampler.set(kAUSamplerProperty_LoadInstrument, 0, 0, data) == kAudioUnitErr_InstrumentTypeNotFound)
        data.instrumentType = UInt8(kInstrumentType_Audiofile)
        let missing = folder.url("missing.wav")
        data.fileURL = Unmanaged.passUnretained(missing)
        #expect(sampler.set(kAUSamplerProperty_LoadInstrument, 0, 0, data) == kAudioUnitErr_InvalidFile)
        #expect(try loudest(sampler, key: 60) == 220.5)
        withExtendedLifetime((url, missing, settings)) {}
    }

    @Test func presetsAndBypassChangeAnEqualizer() throws {
        let source = SineSource(pcm(32, float, planar: true))
        let equalizer = try RenderedUnit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ)
        equalizer.listen(SineSource.proc, source.pointer)
        #expect(AudioUnitInitialize(equalizer.unit) == noErr)
        let flat = try equalizer.render(8_000)[0].suffix(2_000).map(abs).max() ?? 0
        #expect(abs(flat - 0.5) < 0.001)
        var changed = 0
        for number in 0..<4 {
            #expect(
                equalizer.set(kAudioUnitProperty_PresentPreset, 0, 0, AUPreset(presetNumber: Int32(number), presetName: nil))
                    == noErr)
            let (status, preset) = equalizer.get(kAudioUnitProperty_PresentPreset, 0, 0, AUPreset())
            #expect(status == noErr && preset.presetNumber == number && preset.presetName?.takeRetainedValue().length ?? 0 > 0)
            if abs((try equalizer.render(20_000)[0].suffix(2_000).map(abs).max() ?? 0) - 0.5) > 0.01 { changed += 1 }
        }
        #expect(changed > 0)
        #expect(
            equalizer.set(kAudioUnitProperty_PresentPreset, 0, 0, AUPreset(presetNumber: 99, presetName: nil))
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(equalizer.set(kAudioUnitProperty_BypassEffect, 0, 0, UInt32(1)) == noErr)
        #expect(abs((try equalizer.render(20_000)[0].suffix(2_000).map(abs).max() ?? 0) - 0.5) < 0.001)
    }
}
