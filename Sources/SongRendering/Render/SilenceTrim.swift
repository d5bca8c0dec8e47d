import AudioFiles

/// The ends of a sound that are silent, which are left out: frames below -90 dBFS before the first louder frame and after the
/// last one. Sound without any louder frame stays as it is.
///
/// Frames that may be the end wait, in memory or in a file without a name. Each frame is looked at by itself, so the result does
/// not depend on how the sound comes in blocks. Control side, one thread.
package final class SilenceTrim {
    /// Silent frames that may turn out to be the end.
    private let held: FrameSpool
    private var hasBegun = false
    /// Frames that were left out before the sound.
    private var before: Int64 = 0

    /// - Parameter folder: for frames that memory has no room for; nil means `TMPDIR`, or /tmp.
    package init(channels: Int, folder: String? = nil) {
        held = FrameSpool(channels: channels, folder: folder)
    }

    /// Takes the next frames, one pointer per channel, and gives on those that belong to the sound. - Throws: as `FrameSpool`;
    /// what `sink` throws.
    package func add(
        _ samples: [UnsafePointer<Float>], frames: Int, into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        func isLoud(_ frame: Int) -> Bool { samples.contains { abs($0[frame]) >= TailGate.threshold } }
        guard let first = (0..<frames).first(where: isLoud), let last = (first..<frames).last(where: isLoud) else {
            return try held.add(samples, frames: frames)
        }
        var start = 0
        if hasBegun {
            try held.forEach(sink)
        } else {
            (before, start, hasBegun) = (held.frames + Int64(first), first, true)
        }
        held.removeAll()
        try sink(samples.map { $0 + start }, last + 1 - start)
        try held.add(samples.map { $0 + (last + 1) }, frames: frames - last - 1)
    }

    /// Ends the sound: frames that still wait are left out, unless there was nothing else. Updates the report. - Throws: as
    /// `add`.
    package func finish(
        _ report: inout RenderReport, into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        guard hasBegun else { return try held.forEach(sink) }
        (report.silenceBefore, report.silenceBehind) = (before, held.frames)
        report.frames -= before + held.frames
    }
}
