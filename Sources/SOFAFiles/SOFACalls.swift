import CMySOFA
import Reports

/// The calls of libmysofa, all of them: nothing else in the package imports it.
enum SOFACalls {
    static func read(_ path: String) throws(Fault) -> HeadResponses {
        var contents = sofa_contents()
        var code: Int32 = 0
        switch sofa_open(path, &contents, &code) {
        case SOFA_READ: break
        case SOFA_NO_LIBRARY: throw .noLibrary(path: path)
        case SOFA_UNREADABLE: throw .unreadable(path: path, code: code)
        default: throw .damaged(path: path, code: code)
        }
        defer { sofa_close(&contents) }
        guard let places = contents.places, let responses = contents.responses, let delays = contents.delays,
            contents.sample_rate.isFinite, (8_000...384_000).contains(contents.sample_rate), contents.length <= 65_536,
            contents.directions <= 65_536
        else { throw .damaged(path: path, code: 0) }
        let count = Int(contents.directions), length = Int(contents.length)
        let read = HeadResponses(
            sampleRate: contents.sample_rate, length: length,
            places: (0..<count).map { (ahead: places[3 * $0], left: places[3 * $0 + 1], up: places[3 * $0 + 2]) },
            samples: Array(UnsafeBufferPointer(start: responses, count: 2 * count * length)),
            delays: (0..<2 * count).map { delays[contents.delay_count == 2 ? $0 % 2 : $0] })
        let isFinite =
            read.samples.allSatisfy(\.isFinite) && read.delays.allSatisfy { $0.isFinite && abs($0) < 65_536 }
            && read.places.allSatisfy { $0.ahead.isFinite && $0.left.isFinite && $0.up.isFinite }
        if !isFinite { throw .damaged(path: path, code: 0) }
        return read
    }
}
