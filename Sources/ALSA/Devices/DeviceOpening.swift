import Glibc
import RemoteIO

extension DeviceError {
    init(opening device: String, _ fault: ALSAFault, isCapture: Bool = false) {
        switch fault.code {
        case ENOENT, ENODEV, ENXIO:
            let cards = PCMDirectory.cardNames
            self = cards.isEmpty ? .noSoundCard(device: device) : .notFound(device: device, cards: cards)
        case EBUSY, EAGAIN: self = .busy(device: device, owner: PCMDirectory.owner(of: device, isCapture: isCapture))
        case EACCES, EPERM: self = .denied(device: device)
        case EINVAL: self = .refused(device: device, fault)
        default: self = PCMDirectory.cardNames.isEmpty ? .noSoundCard(device: device) : .failed(device: device, fault)
        }
    }
}
