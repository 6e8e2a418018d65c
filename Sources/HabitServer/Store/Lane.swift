import Base
import HabitModel
import HabitStore
import NIOPosix
import StoreEngine
import Synchronization

/// A pool of engines of one kind, with one thread for each engine.
final class Lane: Sendable {
    private struct State {
        var idle: [any Engine]
        var queue: FairQueue<Job>
    }

    private let state: Mutex<State>
    private let threads: NIOThreadPool
    private let count: Int
    private let queueLimit: Int
    private let deadline: Duration

    init(_ engines: [any Engine], queue: Int, deadline: Duration) {
        state = Mutex(State(idle: engines, queue: FairQueue(share: max(1, engines.count / 2))))
        count = engines.count
        queueLimit = queue
        self.deadline = deadline
        threads = NIOThreadPool(numberOfThreads: engines.count)
        threads.start()
    }

    var load: (running: Int, waiting: Int) { state.withLock { (count - $0.idle.count, $0.queue.count) } }

    func run<Result: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable (any Engine) throws -> Result
    ) async throws -> Result {
        let job = Job()
        let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .init(deadline)) { job.stop() }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            let engine = try await turn(of: job, for: requester)
            defer { finish(engine, of: requester) }
            return try await threads.runIfActive {
                try job.begin(engine)
                do {
                    let result = try body(engine)
                    _ = job.end()
                    return result
                } catch {
                    // An interrupted engine throws its own error.
                    throw job.end() ? error : HabitError(.timeout, "the request took too long")
                }
            }
        } onCancel: {
            job.stop()
        }
    }

    func shutdown() async {
        try? await threads.shutdownGracefully()
        state.withLock { $0.idle = [] }
    }

    /// Waits until an engine is free and it is the requester's turn.
    private func turn(of job: Job, for requester: Requester) async throws -> any Engine {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                guard job.wait(continuation) else { return }
                state.withLock { $0.queue.append(job, of: requester) }
                dispatch()
                // A requester that fills the queue displaces its own requests.
                let refused = state.withLock {
                    $0.queue.count > queueLimit ? $0.queue.removeNewestOfLongest() : nil
                }
                refused?.refuse()
            }
        } catch {
            state.withLock { $0.queue.remove(job, of: requester) }
            throw error
        }
    }

    private func finish(_ engine: any Engine, of requester: Requester) {
        state.withLock {
            $0.idle.append(engine)
            $0.queue.finish(requester)
        }
        dispatch()
    }

    /// Assigns idle engines to the jobs whose turn it is.
    private func dispatch() {
        while true {
            let turn = state.withLock { state -> (Requester, Job, any Engine)? in
                guard let engine = state.idle.last, let (requester, job) = state.queue.next() else { return nil }
                state.idle.removeLast()
                return (requester, job, engine)
            }
            guard let (requester, job, engine) = turn else { return }
            if job.grant(engine) { continue }
            // Another thread has stopped the job.
            state.withLock {
                $0.idle.append(engine)
                $0.queue.finish(requester)
            }
        }
    }
}
