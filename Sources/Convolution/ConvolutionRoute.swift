// [render]

struct ConvolutionRoute: BitwiseCopyable {
    let input: Int, output: Int, response: Int

    /// One response for both sides; left, right; or left to left, left to right, right to left, right to right.
    static func routes(responses count: Int) -> [ConvolutionRoute] {
        switch count {
        case 1: [.init(input: 0, output: 0, response: 0), .init(input: 1, output: 1, response: 0)]
        case 2: [.init(input: 0, output: 0, response: 0), .init(input: 1, output: 1, response: 1)]
        case 4: (0..<4).map { .init(input: $0 / 2, output: $0 % 2, response: $0) }
        default: preconditionFailure("a convolution has one response, two, or four")
        }
    }
}
