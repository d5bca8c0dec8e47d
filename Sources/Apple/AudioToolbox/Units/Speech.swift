/// No voice speaks here: `kAudio_UnimplementedError`.
@discardableResult public func SpeakCFString(_ chan: SpeechChannel, _ aString: CFString, _ options: CFDictionary?) -> Int16 {
    Int16(kAudio_UnimplementedError)
}
