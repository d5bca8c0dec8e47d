import DSP

/// A drawing of a sound that goes by: its waveform, or its spectrogram. It takes frames as they are written, however long the sound
/// will be, and draws at the end. Control side, one thread.
public final class SoundPicture {
    /// A kind of drawing.
    public enum Kind: String, CaseIterable, Sendable { case waveform, spectrogram }

    /// Frames of which one pair of extremes, or one spectrum, is kept.
    private static let stretch = 512, size = 2_048
    /// Bands of a spectrogram, from the lowest to the highest frequency, and the levels that have a colour, in decibels.
    private static let bands = 96, lowest = 30.0, highest = 20_000.0, softest = -90.0, loudest = -6.0, shades = 24
    /// Columns of the drawing.
    private static let columns = 600

    private let kind: Kind
    private let channels: Int
    private let sampleRate: Int
    private var frames: Int64 = 0
    /// The lowest and the highest sample of each stretch, channel by channel; or the level of each band.
    private var extremes: [[(low: Float, high: Float)]]
    private var levels: [[Float]] = []
    /// The latest samples of all channels together, for the next spectrum.
    private var window: [Double] = []
    private let transform = Transform()

    private final class Transform {
        let real = RealTransform(size: SoundPicture.size)
        let weights = (0..<SoundPicture.size).map {
            0.5 - 0.5 * DeterministicMath.cosine(turns: Double($0) / Double(SoundPicture.size))
        }
    }

    /// A picture of so many channels at a rate in hertz.
    public init(_ kind: Kind, channels: Int, sampleRate: Int) {
        (self.kind, self.channels, self.sampleRate) = (kind, channels, sampleRate)
        extremes = Array(repeating: [], count: channels)
    }

    /// Takes the next frames, one pointer per channel.
    public func add(_ samples: [UnsafePointer<Float>], frames count: Int) {
        switch kind {
        case .waveform: addExtremes(samples, count)
        case .spectrogram: addSpectra(samples, count)
        }
        frames += Int64(count)
    }

    private func addExtremes(_ samples: [UnsafePointer<Float>], _ count: Int) {
        for channel in 0..<channels {
            for i in 0..<count {
                let value = samples[channel][i], isFirst = (Int(frames) + i) % Self.stretch == 0
                if isFirst { extremes[channel].append((value, value)) }
                let last = extremes[channel].count - 1
                extremes[channel][last].low = min(extremes[channel][last].low, value)
                extremes[channel][last].high = max(extremes[channel][last].high, value)
            }
        }
    }

    private func addSpectra(_ samples: [UnsafePointer<Float>], _ count: Int) {
        for i in 0..<count {
            window.append((0..<channels).reduce(0) { $0 + Double(samples[$1][i]) } / Double(channels))
            if window.count == Self.size {
                levels.append(spectrum(window))
                window.removeFirst(Self.size / 2)
            }
        }
    }

    /// The highest level in each band.
    private func spectrum(_ samples: [Double]) -> [Float] {
        let weighted = zip(samples, transform.weights).map { $0 * $1 }
        var lines = [Double](repeating: 0, count: Self.size / 2 + 1)
        weighted.withUnsafeBufferPointer { from in
            lines.withUnsafeMutableBufferPointer { to in
                if let from = from.baseAddress, let to = to.baseAddress { transform.real.magnitudes(from, to) }
            }
        }
        return (0..<Self.bands).map { band in
            let low = line(edge: band), high = max(line(edge: band + 1), low + 1)
            let most = low < lines.count ? lines[low..<min(high, lines.count)].max() ?? 0 : 0
            // Hann's weights are a half on average, and a sine has half its amplitude on either side of 0 Hz.
            return Float(6.020599913279624 * DeterministicMath.log2(max(most * 4 / Double(Self.size), 1e-9)))
        }
    }

    private func frequency(edge: Int) -> Double {
        Self.lowest
            * DeterministicMath.exp2(Double(edge) / Double(Self.bands) * DeterministicMath.log2(Self.highest / Self.lowest))
    }

    private func line(edge: Int) -> Int { Int(frequency(edge: edge) * Double(Self.size) / Double(sampleRate)) }

    /// The drawing as SVG, under a title.
    public func svg(title: String) -> String {
        var canvas: PictureCanvas
        switch kind {
        case .waveform:
            canvas = PictureCanvas(title: title, height: 160 * channels)
            for channel in 0..<channels { draw(channel, &canvas) }
        case .spectrogram:
            // A sound that is shorter than a spectrum is filled up with silence.
            if levels.isEmpty { levels.append(spectrum(window + [Double](repeating: 0, count: Self.size - window.count))) }
            canvas = PictureCanvas(title: title, height: 4 * Self.bands)
            drawSpectra(&canvas)
        }
        canvas.timeAxis(seconds: Double(frames) / Double(sampleRate))
        return canvas.text
    }

    private func draw(_ channel: Int, _ canvas: inout PictureCanvas) {
        let middle = 160 * channel + 80, all = extremes[channel], width = PictureCanvas.width
        canvas.add("<path d=\"M0 \(middle)h\(width)\" stroke=\"#d5dbe3\"/>")
        canvas.word("0 dBFS", x: -8, y: Double(middle - 72), anchor: "end")
        var path = ""
        for column in 0..<min(Self.columns, all.count) {
            let count = min(Self.columns, all.count),
                part = all[(column * all.count / count)..<((column + 1) * all.count / count)]
            let low = part.map(\.low).min() ?? 0, high = part.map(\.high).max() ?? 0
            let x = (Double(column) + 0.5) * Double(width) / Double(count)
            let top = Double(middle) - 76 * Double(min(max(high, -1), 1)),
                bottom = Double(middle) - 76 * Double(min(max(low, -1), 1))
            path += "M\(PictureCanvas.number(x)) \(PictureCanvas.number(top))V\(PictureCanvas.number(max(bottom, top + 0.5)))"
        }
        let stroke = Double(width) / Double(max(min(Self.columns, all.count), 1))
        canvas.add("<path d=\"\(path)\" stroke=\"#2b5fa8\" stroke-width=\"\(PictureCanvas.number(stroke))\"/>")
    }

    /// Cells of one shade lie in one path, those beside each other in one stroke.
    private func drawSpectra(_ canvas: inout PictureCanvas) {
        let count = min(Self.columns, levels.count), width = Double(PictureCanvas.width) / Double(count)
        var paths = [String](repeating: "", count: Self.shades)
        for band in 0..<Self.bands {
            var run = (shade: -1, start: 0)
            func close(_ end: Int) {
                if run.shade <= 0 { return }
                let x = PictureCanvas.number(Double(run.start) * width),
                    long = PictureCanvas.number(Double(end - run.start) * width)
                paths[run.shade] += "M\(x) \(4 * (Self.bands - 1 - band))h\(long)v4h-\(long)z"
            }
            for column in 0..<count {
                let part = levels[(column * levels.count / count)..<((column + 1) * levels.count / count)]
                let level = Double(part.map { $0[band] }.max() ?? -180)
                let share = (level - Self.softest) / (Self.loudest - Self.softest)
                let shade = min(max(Int(share * Double(Self.shades)), 0), Self.shades - 1)
                if shade != run.shade {
                    close(column)
                    run = (shade, column)
                }
            }
            close(count)
        }
        canvas.add("<rect width=\"\(PictureCanvas.width)\" height=\"\(4 * Self.bands)\" fill=\"#0b1020\"/>")
        for (shade, path) in paths.enumerated() where !path.isEmpty {
            canvas.add("<path d=\"\(path)\" fill=\"\(Self.colour(Double(shade) / Double(Self.shades - 1)))\"/>")
        }
        for mark in [50.0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] where mark < Double(sampleRate) / 2 {
            let octaves = DeterministicMath.log2(mark / Self.lowest) / DeterministicMath.log2(Self.highest / Self.lowest)
            canvas.word(
                mark < 1_000 ? "\(Int(mark)) Hz" : "\(Int(mark / 1_000)) kHz", x: -8,
                y: Double(4 * Self.bands) * (1 - octaves) + 4, anchor: "end")
        }
    }

    /// A colour between night, red and a pale yellow.
    private static func colour(_ share: Double) -> String {
        let stops: [(red: Double, green: Double, blue: Double)] = [
            (11, 16, 32), (88, 24, 110), (214, 60, 70), (252, 170, 60), (255, 250, 200),
        ]
        let place = share * Double(stops.count - 1), index = min(Int(place), stops.count - 2), rest = place - Double(index)
        let (a, b) = (stops[index], stops[index + 1])
        func part(_ from: Double, _ to: Double) -> String {
            let value = Int((from + (to - from) * rest).rounded()), digits = String(value, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }
        return "#" + part(a.red, b.red) + part(a.green, b.green) + part(a.blue, b.blue)
    }
}
