import Carillon

/// The sound of a render as a trial hears it: how loud it gets, and whether all of it is numbers.
struct Hearing {
    private(set) var peak: Float = 0
    private var isFinite = true

    mutating func hear(_ channels: [UnsafePointer<Float>], _ frames: Int) {
        for channel in channels {
            for i in 0..<frames {
                peak = max(peak, abs(channel[i]))
                isFinite = isFinite && channel[i].isFinite
            }
        }
    }

    func finding(_ report: RenderReport) -> String? {
        if report.frames == 0 { return "rendered without an error, but not a single frame" }
        if !isFinite { return "samples that are no numbers" }
        return peak > 100 ? "a peak of \(peak)" : nil
    }
}
