import Glibc

/// A place in the bytes of a sound file, as libsndfile moves it, and what is done to bytes on their way out.
class SoundCursor {
    /// Where the next byte goes, or comes from.
    private(set) var position: Int64 = 0
    /// Where the last move led.
    private(set) var target: Int64 = 0
    /// The pages of a new Ogg file get the same number each time.
    var serialNumber: OggSerialNumber?
    /// Changes the bytes that are written at the beginning.
    var completeHeader: ((inout [UInt8]) -> Void)?

    var end: Int64 { 0 }
    /// Puts bytes at a place; false after an error.
    func put(_ bytes: UnsafeRawBufferPointer, at place: Int64) -> Bool { false }

    /// Moves as in C: from the start, from here, or from the end. Returns the new place, or -1.
    func seek(to offset: Int64, whence: Int32) -> Int64 {
        let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : end
        let (place, isTooBig) = start.addingReportingOverflow(offset)
        guard !isTooBig, place >= 0 else { return -1 }
        (position, target) = (place, place)
        return place
    }

    func advance(_ count: Int) { position += Int64(count) }

    /// Writes bytes here. Returns how many were taken: all, or 0 after an error.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard put(bytes, at: position) else { return false }
            advance(bytes.count)
            return true
        }
        return serialNumber?.take(bytes, put: add) ?? add(bytes) ? bytes.count : 0
    }
}
