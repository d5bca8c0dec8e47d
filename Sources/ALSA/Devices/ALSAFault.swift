import CALSA
import RemoteIO

/// A call of libasound that failed.
public typealias ALSAFault = DeviceFault

extension DeviceFault {
    /// `result` is what the function of libasound returned: a negative error number.
    init(_ function: String, _ result: Int32) {
        self.init(
            function: function, code: -result, text: snd_strerror(result).map { String(cString: $0) } ?? "error \(-result)")
    }
}
