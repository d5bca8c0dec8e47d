// [render]
import SoundFonts

extension VoicePool {
    /// Notes of an exclusive class end the others rapidly: a closed hi-hat the open one.
    ///
    /// Source: SoundFont Technical Specification 2.04, section 8.1.2, generator 57; the release as libfluidsynth has it since
    /// 2.4.3, or, if rounded, as before.
    @_noLocks func cut(_ channel: Int, group: Double, but note: UInt64, _ setting: Voice.Setting) {
        for place in 0..<count {
            let voice = voice(place)
            guard Int(voice.pointee.channel) == channel, voice.pointee.isSounding, voice.pointee.note != note,
                voice.pointee.base(.exclusiveClass) == group
            else { continue }
            voice.pointee.generators[Generator.exclusiveClass.index] = 0
            voice.pointee.generators[Generator.volumeRelease.index] = setting.curves.isRounded ? -200 : -2_000
            voice.pointee.update(.volumeRelease, setting)
            if setting.curves.isRounded {
                voice.pointee.generators[Generator.modulationRelease.index] = -200
                voice.pointee.update(.modulationRelease, setting)
            }
            markReleased(voice)
            voice.pointee.letGo(UInt32(setting.rate * 0.01), setting.curves)
        }
    }
}
