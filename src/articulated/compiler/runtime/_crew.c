/* A crew works through one batch at a time.  Waking a thread takes as long as a thousand states, so a helper that has
   nothing to do looks for work for some milliseconds before it sleeps.

   `gate` is 1 while a batch is open, and 2 more for every helper inside.  Whoever has not entered when nothing is left
   is not waited for.  The members of `work` are written while the gate is 0 and read only inside it. */
#include <Python.h> /* first: it says which POSIX the system headers are to show */

#include <pythread.h>
#include <stdatomic.h>

#include "_crew.h"

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
    MOST_HELPERS = 63,
    PATIENCE = 60000, /* turns a helper looks for work before it sleeps, each some tens of nanoseconds */
    YIELD = 256,      /* turns after which whoever waits lets another thread run */
    LINE = 64,        /* bytes of a cache line: what one thread writes and others poll has a line of its own */
};

typedef struct {
    PyThread_type_lock bell; /* locked but while it rings */
    atomic_int asleep;
    char apart[LINE - sizeof(PyThread_type_lock) - sizeof(atomic_int)];
} Desk;

struct Crew {
    atomic_llong gate;
    char apart[LINE - sizeof(atomic_llong)];
    atomic_llong next; /* the first state nobody has taken */
    char further_apart[LINE - sizeof(atomic_llong)];
    atomic_int bad, limit, over, members; /* members: who still uses this memory */
    Work work;
    int hired;
    Crew *idle_after;
    Desk desks[MOST_HELPERS];
};

/* -- the work --------------------------------------------------------------------------- */

/* states of a batch, a share at a time until none is left */
static void take_shares(Crew *crew)
{
    const Work *work = &crew->work;
    char *here[MOST_ARRAYS];
    for (;;) {
        int64_t begin = atomic_fetch_add_explicit(&crew->next, work->share, memory_order_relaxed);
        int64_t left = work->states - begin;
        if (left <= 0)
            return;
        for (int k = 0; k < work->arrays; k++)
            here[k] = work->data[k] + begin * work->strides[k];
        if (work->batch(left < work->share ? left : work->share, here, work->strides)) {
            atomic_store(&crew->bad, 1);
            atomic_store(&crew->next, work->states); /* the others find nothing left */
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

/* -- helpers ---------------------------------------------------------------------------- */

typedef struct {
    Crew *crew;
    int number;
} Helper;

/* whoever leaves last frees the memory: nobody can enter, ring or sleep here any more */
static void leave(Crew *crew)
{
    if (atomic_fetch_sub(&crew->members, 1) > 1)
        return;
    for (int k = 0; k < crew->hired; k++)
        PyThread_free_lock(crew->desks[k].bell);
    PyMem_RawFree(crew);
}

/* 1 if a batch is open and wants another helper; from then on its work may be read, until the gate is left */
static int enter(Crew *crew)
{
    long long seen = atomic_load_explicit(&crew->gate, memory_order_acquire);
    while ((seen & 1) && seen / 2 < atomic_load_explicit(&crew->limit, memory_order_relaxed))
        if (atomic_compare_exchange_weak(&crew->gate, &seen, seen + 2))
            return 1;
    return 0;
}

/* Sleep until the bell rings.  Both sides write first and look afterwards, in one order for all (seq_cst): either the
   gate is seen to be open here, or `crew_run` sees that this helper sleeps, and rings. */
static void sleep_at(Crew *crew, Desk *desk)
{
    atomic_store(&desk->asleep, 1);
    int wanted = (atomic_load(&crew->gate) & 1) || atomic_load(&crew->over);
    if (wanted && atomic_exchange(&desk->asleep, 0))
        return; /* nobody has rung */
    PyThread_acquire_lock(desk->bell, WAIT_LOCK);
}

/* a helper's life; it holds neither the GIL nor any object */
static void help(void *given)
{
    Helper self = *(Helper *)given;
    Crew *crew = self.crew;
    PyMem_RawFree(given);
    while (!atomic_load(&crew->over)) {
        for (int turn = 1; turn < PATIENCE && !atomic_load_explicit(&crew->over, memory_order_relaxed); turn++) {
            if (enter(crew)) {
                take_shares(crew);
                atomic_fetch_sub(&crew->gate, 2);
                turn = 1;
            }
            wait_a_moment(turn);
        }
        sleep_at(crew, &crew->desks[self.number]);
    }
    leave(crew);
}

/* One more thread; 0 if there cannot be one, and then nothing is left of it.  The caller has the crew to itself. */
static int hire_one(Crew *crew)
{
    Helper *helper = PyMem_RawMalloc(sizeof *helper);
    PyThread_type_lock bell = PyThread_allocate_lock();
    if (helper && bell) {
        *helper = (Helper){crew, crew->hired};
        PyThread_acquire_lock(bell, WAIT_LOCK);
        crew->desks[crew->hired].bell = bell;
        atomic_fetch_add(&crew->members, 1);
        if (PyThread_start_new_thread(help, helper) != PYTHREAD_INVALID_THREAD_ID) {
            crew->hired++;
            return 1;
        }
        atomic_fetch_sub(&crew->members, 1);
        PyThread_release_lock(bell);
    }
    PyMem_RawFree(helper);
    if (bell)
        PyThread_free_lock(bell);
    return 0;
}

int crew_hire(Crew *crew, int helpers)
{
    helpers = helpers < MOST_HELPERS ? helpers : MOST_HELPERS;
    while (crew->hired < helpers && hire_one(crew))
        ;
    return helpers < crew->hired ? helpers : crew->hired;
}

/* -- for the caller --------------------------------------------------------------------- */

int32_t crew_run(Crew *crew, const Work *work, int helpers)
{
    /* nobody is inside: these are ours until the gate opens */
    crew->work = *work;
    atomic_store(&crew->next, 0);
    atomic_store(&crew->bad, 0);
    atomic_store(&crew->limit, helpers);
    atomic_store(&crew->gate, 1);
    for (int k = 0; k < helpers; k++)
        if (atomic_exchange(&crew->desks[k].asleep, 0))
            PyThread_release_lock(crew->desks[k].bell);
    take_shares(crew);
    /* closed; those inside finish the share they hold, and what they wrote is seen once the gate is 0 */
    atomic_fetch_sub(&crew->gate, 1);
    for (int turn = 1; atomic_load_explicit(&crew->gate, memory_order_acquire); turn = turn % YIELD + 1)
        wait_a_moment(turn);
    return atomic_load(&crew->bad);
}

/* both with the GIL held, which guards the list */
Crew *crew_take(Crew **idle)
{
    Crew *crew = *idle;
    if (crew) {
        *idle = crew->idle_after;
        return crew;
    }
    crew = PyMem_RawCalloc(1, sizeof *crew);
    if (crew)
        atomic_store(&crew->members, 1);
    return crew;
}

void crew_return(Crew **idle, Crew *crew)
{
    crew->idle_after = *idle;
    *idle = crew;
}

/* No helper is waited for: the last one to leave frees the memory. */
void crew_dismiss(Crew **idle)
{
    while (*idle) {
        Crew *crew = crew_take(idle);
        atomic_store(&crew->over, 1);
        for (int k = 0; k < crew->hired; k++)
            if (atomic_exchange(&crew->desks[k].asleep, 0))
                PyThread_release_lock(crew->desks[k].bell);
        leave(crew);
    }
}

/* for tests: a helper may fall asleep or wake meanwhile */
int crew_size(const Crew *crew) { return crew->hired; }

int crew_asleep(Crew *crew)
{
    int count = 0;
    for (int k = 0; k < crew->hired; k++)
        count += atomic_load(&crew->desks[k].asleep);
    return count;
}

Crew *crew_next(const Crew *crew) { return crew->idle_after; }
