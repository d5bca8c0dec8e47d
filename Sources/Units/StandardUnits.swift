import UnitAPI

/// The units of this module, one line each; the catalogue begins with them.
public enum StandardUnits {
    /// One entry for each unit, in the order in which the reference lists them.
    public static let entries: [UnitEntry] = [
        UnitEntry(SquareWave.self),
        UnitEntry(Arpeggiator.self),
        UnitEntry(ChordMapper.self),
        UnitEntry(ScaleMapper.self),
        UnitEntry(Transposer.self),
        UnitEntry(VelocityCurve.self),
        UnitEntry(NoteEcho.self),
        UnitEntry(ChannelStrip.self),
        UnitEntry(MultichannelMixer.self),
        UnitEntry(Matrix.self),
        UnitEntry(Junction.self),
        UnitEntry(Reverb.self),
        UnitEntry(Chorus.self),
        UnitEntry(Vibrato.self),
        UnitEntry(Tremolo.self),
        UnitEntry(Flanger.self),
        UnitEntry(Phaser.self),
        UnitEntry(RingModulator.self),
        UnitEntry(Delay.self),
        UnitEntry(Equalizer.self),
        UnitEntry(GraphicEqualizer.self),
        UnitEntry(Filter.self),
        UnitEntry(Distortion.self),
        UnitEntry(Compressor.self),
        UnitEntry(Gate.self),
        UnitEntry(Limiter.self),
        UnitEntry(Widener.self),
        UnitEntry(Speakers.self),
        UnitEntry(PeakMeter.self),
        UnitEntry(Tap.self),
        UnitEntry(Metronome.self),
        UnitEntry(SpeakerCall.self),
        UnitEntry(Oscillator.self),
        UnitEntry(Noise.self),
        UnitEntry(FilePlayback.self),
        UnitEntry(DeviceInput.self),
    ]
}
