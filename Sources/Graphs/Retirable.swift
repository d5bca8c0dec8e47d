/// An object that travels to the render thread and comes back to die on the control side: a plan or a score.
///
/// One base class, so that the queue of returned objects needs to know nothing else of them.
package class Retirable {
    init() {}
}
