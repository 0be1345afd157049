/* The thread pool of batches: each pool works through one batch at a time.  Waking a thread takes as long as a thousand states, so a worker that has
   nothing to do looks for work for some milliseconds before it sleeps.

   `gate` is 1 while a batch is open, and 2 more for every worker inside.  Whoever has not entered when nothing is left
   is not waited for.  The members of `work` are written while the gate is 0 and read only inside it. */
#include <Python.h> /* first: it says which POSIX the system headers are to show */

#include <pythread.h>
#include <stdatomic.h>

#include "_thread_pool.h"

#ifdef _WIN32
#include <windows.h>
#define let_others_run() SwitchToThread()
#else
#include <sched.h>
#define let_others_run() sched_yield()
#endif

#if defined(_M_X64) || defined(__x86_64__)
#include <immintrin.h>
#define cpu_relax() _mm_pause()
#elif defined(__aarch64__) && defined(__GNUC__)
#define cpu_relax() __asm__ volatile("yield")
#else
#define cpu_relax() ((void)0)
#endif

enum {
    MOST_WORKERS = 63,
    PATIENCE = 60000, /* turns a worker looks for work before it sleeps, each some tens of nanoseconds */
    YIELD = 256,      /* turns after which whoever waits lets another thread run */
    LINE = 64,        /* bytes of a cache line: what one thread writes and others poll has a line of its own */
};

/* a worker's own cache line: the lock it sleeps on, and whether it sleeps */
typedef struct {
    PyThread_type_lock bell; /* locked but while it rings */
    atomic_int asleep;
    char apart[LINE - sizeof(PyThread_type_lock) - sizeof(atomic_int)];
} Seat;

/* a pool: the batch that is open, a counter of the states taken, and its workers */
struct Pool {
    atomic_llong gate;
    char apart[LINE - sizeof(atomic_llong)];
    atomic_llong next; /* the first state nobody has taken */
    char further_apart[LINE - sizeof(atomic_llong)];
    atomic_int bad, limit, over, members; /* members: who still uses this memory */
    Work work;
    int workers;
    Pool *idle_after;
    Seat seats[MOST_WORKERS];
};

/* -- the work --------------------------------------------------------------------------- */

/* states of a batch, a share at a time until none is left */
static void take_shares(Pool *pool)
{
    const Work *work = &pool->work;
    char *here[MOST_ARRAYS];
    for (;;) {
        int64_t begin = atomic_fetch_add_explicit(&pool->next, work->share, memory_order_relaxed);
        int64_t left = work->states - begin;
        if (left <= 0)
            return;
        for (int k = 0; k < work->arrays; k++)
            here[k] = work->data[k] + begin * work->strides[k];
        if (work->batch(left < work->share ? left : work->share, here, work->strides)) {
            atomic_store(&pool->bad, 1);
            atomic_store(&pool->next, work->states); /* the others find nothing left */
        }
    }
}

/* once per turn of a loop that waits */
static void wait_a_moment(int turn)
{
    cpu_relax();
    if (turn % YIELD == 0)
        let_others_run();
}

/* -- workers ---------------------------------------------------------------------------- */

/* the argument of a worker's thread */
typedef struct {
    Pool *pool;
    int number;
} Worker;

/* whoever leaves last frees the memory: nobody can enter, ring or sleep here any more */
static void leave(Pool *pool)
{
    if (atomic_fetch_sub(&pool->members, 1) > 1)
        return;
    for (int k = 0; k < pool->workers; k++)
        PyThread_free_lock(pool->seats[k].bell);
    PyMem_RawFree(pool);
}

/* 1 if a batch is open and wants another worker; from then on its work may be read, until the gate is left */
static int enter(Pool *pool)
{
    long long seen = atomic_load_explicit(&pool->gate, memory_order_acquire);
    while ((seen & 1) && seen / 2 < atomic_load_explicit(&pool->limit, memory_order_relaxed))
        if (atomic_compare_exchange_weak(&pool->gate, &seen, seen + 2))
            return 1;
    return 0;
}

/* Sleep until the bell rings.  Both sides write first and look afterwards, in one order for all (seq_cst): either the
   gate is seen to be open here, or `pool_run` sees that this worker sleeps, and rings. */
static void sleep_at(Pool *pool, Seat *seat)
{
    atomic_store(&seat->asleep, 1);
    int wanted = (atomic_load(&pool->gate) & 1) || atomic_load(&pool->over);
    if (wanted && atomic_exchange(&seat->asleep, 0))
        return; /* nobody has rung */
    PyThread_acquire_lock(seat->bell, WAIT_LOCK);
}

/* the main function of a worker; it holds neither the GIL nor any object */
static void worker_main(void *given)
{
    Worker self = *(Worker *)given;
    Pool *pool = self.pool;
    PyMem_RawFree(given);
    while (!atomic_load(&pool->over)) {
        for (int turn = 1; turn < PATIENCE && !atomic_load_explicit(&pool->over, memory_order_relaxed); turn++) {
            if (enter(pool)) {
                take_shares(pool);
                atomic_fetch_sub(&pool->gate, 2);
                turn = 1;
            }
            wait_a_moment(turn);
        }
        sleep_at(pool, &pool->seats[self.number]);
    }
    leave(pool);
}

/* One more thread; 0 if there cannot be one, and then nothing is left of it.  The caller has the pool to itself. */
static int start_worker(Pool *pool)
{
    Worker *worker = PyMem_RawMalloc(sizeof *worker);
    PyThread_type_lock bell = PyThread_allocate_lock();
    if (worker && bell) {
        *worker = (Worker){pool, pool->workers};
        PyThread_acquire_lock(bell, WAIT_LOCK);
        pool->seats[pool->workers].bell = bell;
        atomic_fetch_add(&pool->members, 1);
        if (PyThread_start_new_thread(worker_main, worker) != PYTHREAD_INVALID_THREAD_ID) {
            pool->workers++;
            return 1;
        }
        atomic_fetch_sub(&pool->members, 1);
        PyThread_release_lock(bell);
    }
    PyMem_RawFree(worker);
    if (bell)
        PyThread_free_lock(bell);
    return 0;
}

/* see the header; whoever cannot be started is done without */
int pool_grow(Pool *pool, int workers)
{
    workers = workers < MOST_WORKERS ? workers : MOST_WORKERS;
    while (pool->workers < workers && start_worker(pool))
        ;
    return workers < pool->workers ? workers : pool->workers;
}

/* -- for the caller --------------------------------------------------------------------- */

/* open the gate, wake workers that sleep, work along, close the gate and wait for those inside */
int32_t pool_run(Pool *pool, const Work *work, int workers)
{
    /* nobody is inside: these are ours until the gate opens */
    pool->work = *work;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->bad, 0);
    atomic_store(&pool->limit, workers);
    atomic_store(&pool->gate, 1);
    for (int k = 0; k < workers; k++)
        if (atomic_exchange(&pool->seats[k].asleep, 0))
            PyThread_release_lock(pool->seats[k].bell);
    take_shares(pool);
    /* closed; those inside finish the share they hold, and what they wrote is seen once the gate is 0 */
    atomic_fetch_sub(&pool->gate, 1);
    for (int turn = 1; atomic_load_explicit(&pool->gate, memory_order_acquire); turn = turn % YIELD + 1)
        wait_a_moment(turn);
    return atomic_load(&pool->bad);
}

/* pool_take and pool_return are called with the GIL held, which guards the list */
Pool *pool_take(Pool **idle)
{
    Pool *pool = *idle;
    if (pool) {
        *idle = pool->idle_after;
        return pool;
    }
    pool = PyMem_RawCalloc(1, sizeof *pool);
    if (pool)
        atomic_store(&pool->members, 1);
    return pool;
}

/* to the front of the list */
void pool_return(Pool **idle, Pool *pool)
{
    pool->idle_after = *idle;
    *idle = pool;
}

/* No worker is waited for: the last one to leave frees the memory. */
void pool_end_all(Pool **idle)
{
    while (*idle) {
        Pool *pool = pool_take(idle);
        atomic_store(&pool->over, 1);
        for (int k = 0; k < pool->workers; k++)
            if (atomic_exchange(&pool->seats[k].asleep, 0))
                PyThread_release_lock(pool->seats[k].bell);
        leave(pool);
    }
}

/* for tests: a worker may fall asleep or wake meanwhile */
int pool_size(const Pool *pool) { return pool->workers; }

/* how many workers sleep */
int pool_asleep(Pool *pool)
{
    int count = 0;
    for (int k = 0; k < pool->workers; k++)
        count += atomic_load(&pool->seats[k].asleep);
    return count;
}

/* the pool after this one in the list of idle ones */
Pool *pool_next(const Pool *pool) { return pool->idle_after; }
