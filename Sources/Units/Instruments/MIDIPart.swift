import DSP
import MIDI

// [render]

/// What an instrument remembers of one channel of one port: controllers, pedals, tuning, mode.
///
/// Sources: MIDI 1.0 Detailed Specification 4.2; RP-015 (reset all controllers); General MIDI 2, section 3.3 (volume,
/// expression and pan laws).
struct MIDIPart: BitwiseCopyable {
    /// What the voices of the part have to do after a controller.
    enum Consequence: BitwiseCopyable {
        case none
        /// A pedal went up: keys that nothing holds any more are released.
        case pedalUp
        /// Sostenuto went down: it holds the keys that are down now.
        case sostenutoDown
        /// Sostenuto went up.
        case sostenutoUp
        /// Controllers are reset, pedals among them; pressure of single keys too.
        case controllersReset
        case allNotesOff
        case allSoundOff
    }

    /// 0...127 each.
    private var volume: UInt8 = 100, expression: UInt8 = 127, pan: UInt8 = 64
    private var modulation: UInt8 = 0
    /// Channel pressure, 0...127.
    var pressure: UInt8 = 0
    /// -8192...8191.
    private var bend = 0
    private(set) var isSustained = false, isSostenuto = false, isSoft = false, isMono = false
    private var isPortamento = false
    private var portamentoTime: UInt8 = 0
    /// The key that controller 84 named for the next note, or -1.
    private var portamentoSource: Int16 = -1
    /// The key struck last, or -1.
    private var lastKey: Int16 = -1
    /// What data entry sets: the number of a registered parameter, or none of them.
    private var parameterHigh: UInt8 = 127, parameterLow: UInt8 = 127
    private var isRegistered = false
    /// Pitch bend sensitivity in semitones and cents; fine tuning in 8192ths of a semitone around 8192; coarse tuning
    /// in semitones around 64.
    private var bendSemitones = 2, bendCents = 0, fine = 8192, coarse = 64
    /// Melodic, or a drum part.
    var mode: PartMode
    /// Keys that are down in mono mode, the newest last.
    private var stack = InlineArray<16, UInt8>(repeating: 0)
    private var stackCount = 0

    /// Amplitude on either side: volume, expression and pan.
    private(set) var left: Float = 0, right: Float = 0
    /// Bend and tuning, in cents.
    private(set) var cents = 0.0

    @_noLocks init(mode: PartMode) {
        self.mode = mode
        updateAmplitude()
    }

    /// Depth of the vibrato from modulation and pressure, 0...1; `keyPressure` is that of the voice's key.
    @_noLocks func vibrato(_ keyPressure: UInt8) -> Float {
        Float(min(Int(modulation) &+ Int(pressure) &+ Int(keyPressure), 127)) / 127
    }

    /// Moves the wheel to -8192...8191.
    @_noLocks mutating func bend(to value: Int) {
        bend = value
        updateCents()
    }

    // MARK: Portamento

    /// The key that a note on `key` glides from, or nil; the key counts as struck from now on.
    @_noLocks mutating func glideSource(to key: UInt8) -> UInt8? {
        let named = portamentoSource, last = lastKey
        portamentoSource = -1
        lastKey = Int16(key)
        if named >= 0 { return UInt8(truncatingIfNeeded: named) }
        return glides && last >= 0 ? UInt8(truncatingIfNeeded: last) : nil
    }

    /// Whether notes glide without being told where from.
    var glides: Bool { @_noLocks get { isPortamento && portamentoTime > 0 } }

    /// How long a glide takes, as a fraction of the longest: the square of controller 5.
    var glideFraction: Float {
        @_noLocks get {
            let fraction = Float(portamentoTime) / 127
            return fraction * fraction
        }
    }

    // MARK: Mono mode

    /// A key goes down in mono mode. Beyond sixteen the oldest is forgotten.
    @_noLocks mutating func push(_ key: UInt8) {
        remove(key)
        if stackCount == 16 {
            for i in 1..<16 { stack[i &- 1] = stack[i] }
            stackCount = 15
        }
        stack[stackCount] = key
        stackCount &+= 1
    }

    /// A key goes up in mono mode.
    @_noLocks mutating func remove(_ key: UInt8) {
        var kept = 0
        for i in 0..<stackCount where stack[i] != key {
            stack[kept] = stack[i]
            kept &+= 1
        }
        stackCount = kept
    }

    /// Forgets all keys that are down.
    @_noLocks mutating func clearStack() { stackCount = 0 }

    /// The key struck last of those that are still down.
    var newestKey: UInt8? { @_noLocks get { stackCount > 0 ? stack[stackCount &- 1] : nil } }

    // MARK: Controllers

    /// A control change.
    @_noLocks mutating func control(_ controller: Controller, _ value: UInt8) -> Consequence {
        let isDown = value >= 64
        switch controller {
        case .modulation: modulation = value
        case .portamentoTime: portamentoTime = value
        case .dataEntry: enterData(high: value)
        case .dataEntryLSB: enterData(low: value)
        case .dataIncrement: step(1)
        case .dataDecrement: step(-1)
        case .volume: volume = value; updateAmplitude()
        case .pan: pan = value; updateAmplitude()
        case .expression: expression = value; updateAmplitude()
        case .portamento: isPortamento = isDown
        case .portamentoControl: portamentoSource = Int16(value)
        case .softPedal: isSoft = isDown
        case .sustain:
            let wasDown = isSustained
            isSustained = isDown
            return wasDown && !isDown ? .pedalUp : .none
        case .sostenuto:
            if isDown == isSostenuto { return .none }
            isSostenuto = isDown
            return isDown ? .sostenutoDown : .sostenutoUp
        case .registeredParameter: parameterHigh = value; isRegistered = true
        case .registeredParameterLSB: parameterLow = value; isRegistered = true
        case .nonRegisteredParameter, .nonRegisteredParameterLSB: isRegistered = false
        case .allSoundOff: return .allSoundOff
        case .resetAllControllers:
            resetControllers()
            return .controllersReset
        case .mono, .poly:
            isMono = controller == .mono
            return .allNotesOff
        case .allNotesOff, .omniOff, .omniOn: return .allNotesOff
        default: break
        }
        return .none
    }

    /// RP-015: volume, pan, tuning, bend sensitivity and mode stay.
    @_noLocks private mutating func resetControllers() {
        modulation = 0
        pressure = 0
        expression = 127
        isSustained = false
        isSostenuto = false
        isSoft = false
        isPortamento = false
        portamentoSource = -1
        isRegistered = false
        bend = 0
        updateAmplitude()
        updateCents()
    }

    /// The registered parameter that data entry sets: 0 bend sensitivity, 1 fine, 2 coarse tuning; others and null -1.
    private var registered: Int {
        @_noLocks get { isRegistered && parameterHigh == 0 && parameterLow <= 2 ? Int(parameterLow) : -1 }
    }

    @_noLocks private mutating func enterData(high value: UInt8) {
        switch registered {
        case 0: bendSemitones = Int(value)
        case 1: fine = fine & 127 | Int(value) &<< 7
        case 2: coarse = Int(value)
        default: break
        }
        updateCents()
    }

    @_noLocks private mutating func enterData(low value: UInt8) {
        switch registered {
        case 0: bendCents = Int(value)
        case 1: fine = fine & ~127 | Int(value)
        default: break
        }
        updateCents()
    }

    /// Data increment and decrement: a semitone, or the smallest step of fine tuning.
    @_noLocks private mutating func step(_ by: Int) {
        switch registered {
        case 0: bendSemitones = min(max(bendSemitones &+ by, 0), 127)
        case 1: fine = min(max(fine &+ by, 0), 16_383)
        case 2: coarse = min(max(coarse &+ by, 0), 127)
        default: break
        }
        updateCents()
    }

    @_noLocks private mutating func updateCents() {
        let range = Double(bendSemitones &* 100 &+ bendCents)
        cents = Double(bend) / 8192 * range + Double(fine &- 8192) / 8192 * 100 + Double((coarse &- 64) &* 100)
    }

    /// Volume and expression are squares; pan keeps the power, with 64 in the middle and 0 as 1.
    @_noLocks private mutating func updateAmplitude() {
        let volume = Float(self.volume) / 127, expression = Float(self.expression) / 127
        let amplitude = volume * volume * expression * expression
        let turns = Double(max(pan, 1) &- 1) / 126 / 4
        left = pan <= 1 ? amplitude : pan == 127 ? 0 : amplitude * Float(DeterministicMath.cosine(turns: turns))
        right = pan <= 1 ? 0 : pan == 127 ? amplitude : amplitude * Float(DeterministicMath.sine(turns: turns))
    }
}
