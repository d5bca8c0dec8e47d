/// Collects the repairs of one file, or, read strictly, refuses the file at the first.
struct RepairLog {
    let name: String
    let isStrict: Bool
    let limits: SongLimits
    private(set) var repairs: [SongRepair] = []
    private(set) var count = 0

    init(name: String, isStrict: Bool, limits: SongLimits) {
        (self.name, self.isStrict, self.limits) = (name, isStrict, limits)
    }

    mutating func report(_ fault: SongFault, at byteOffset: Int) throws(SongError) {
        let repair = SongRepair(byteOffset: byteOffset, fault: fault)
        if isStrict { throw .refused(name: name, first: repair) }
        count += 1
        if repairs.count < limits.repairs { repairs.append(repair) }
    }
}
