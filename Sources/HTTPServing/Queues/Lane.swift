import Base
import NIOPosix
import Synchronization

/// A pool of resources of one kind, such as connections to a store, with one thread for each resource.
///
/// A resource is synchronous. A request that waits for one blocks no thread.
package final class Lane<Requester: Hashable & Sendable, Resource: Sendable>: Sendable {
    private struct State {
        var idle: [Resource]
        var queue: FairQueue<Requester, Job<Resource>>
    }

    private let state: Mutex<State>
    private let threads: NIOThreadPool
    private let count: Int
    private let queueLimit: Int
    private let deadline: Duration

    private let interrupt: @Sendable (Resource) -> Void

    /// Creates a pool and starts its threads.
    ///
    /// - Parameters:
    ///   - resources: The resources. A requester may use half of them at a time.
    ///   - queue: Maximum number of requests that wait.
    ///   - deadline: Maximum time for which a request waits and runs.
    ///   - interrupt: Ends the running work of a resource early.
    package init(
        _ resources: [Resource],
        queue: Int,
        deadline: Duration,
        interrupt: @escaping @Sendable (Resource) -> Void
    ) {
        state = Mutex(State(idle: resources, queue: FairQueue(share: max(1, resources.count / 2))))
        count = resources.count
        self.interrupt = interrupt
        queueLimit = queue
        self.deadline = deadline
        threads = NIOThreadPool(numberOfThreads: resources.count)
        threads.start()
    }

    /// The number of requests that run, and the number of requests that wait.
    package var load: (running: Int, waiting: Int) {
        state.withLock { state in
            (running: count - state.idle.count, waiting: state.queue.count)
        }
    }

    /// Runs `body` with a resource when it is the requester's turn.
    ///
    /// - Parameters:
    ///   - requester: The party in whose queue the request waits.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: `timeout` if the request waits and runs longer than the deadline, ``OverloadError`` if too many
    ///   requests wait, and the errors of `body`.
    package func run<Result: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable (Resource) throws -> Result
    ) async throws -> Result {
        let job = Job(interrupt: interrupt)
        let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .init(deadline)) { job.stop() }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            let resource = try await turn(of: job, for: requester)
            defer { finish(resource, of: requester) }
            return try await threads.runIfActive {
                try job.begin(resource)
                do {
                    let result = try body(resource)
                    _ = job.end()
                    return result
                } catch {
                    // An interrupted resource throws its own error.
                    throw job.end() ? error : HabitError(.timeout, "the request took too long")
                }
            }
        } onCancel: {
            job.stop()
        }
    }

    /// Ends the threads after the running work and releases the resources.
    package func shutdown() async {
        try? await threads.shutdownGracefully()
        state.withLock { state in state.idle = [] }
    }

    /// Waits until a resource is free and it is the requester's turn.
    private func turn(of job: Job<Resource>, for requester: Requester) async throws -> Resource {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                guard job.wait(continuation) else { return }
                state.withLock { state in state.queue.append(job, of: requester) }
                dispatch()
                // A requester that fills the queue displaces its own requests.
                let refused = state.withLock { state in
                    state.queue.count > queueLimit ? state.queue.removeNewestOfLongest() : nil
                }
                refused?.refuse()
            }
        } catch {
            state.withLock { state in state.queue.remove(job, of: requester) }
            throw error
        }
    }

    private func finish(_ resource: Resource, of requester: Requester) {
        release(resource, of: requester)
        dispatch()
    }

    /// Marks a resource as idle again.
    private func release(_ resource: Resource, of requester: Requester) {
        state.withLock { state in
            state.idle.append(resource)
            state.queue.finish(requester)
        }
    }

    /// Assigns idle resources to the jobs whose turn it is.
    private func dispatch() {
        while true {
            let turn = state.withLock { state -> Turn? in
                guard let resource = state.idle.last, let next = state.queue.next() else { return nil }
                state.idle.removeLast()
                return Turn(requester: next.requester, job: next.entry, resource: resource)
            }
            guard let turn else { return }
            if turn.job.grant(turn.resource) { continue }
            // Another thread has stopped the job.
            release(turn.resource, of: turn.requester)
        }
    }

    /// A job with the resource that it gets.
    private struct Turn {
        let requester: Requester
        let job: Job<Resource>
        let resource: Resource
    }
}

/// The error of a request that is refused because too many requests wait.
package struct OverloadError: Error {}
