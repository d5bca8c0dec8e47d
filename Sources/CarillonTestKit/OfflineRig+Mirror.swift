extension OfflineRig: CustomReflectable {
    /// Nothing inside: a test that fails shows the values of its expression with all that is in them, and Swift's reflection
    /// cannot look into what this one holds.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
