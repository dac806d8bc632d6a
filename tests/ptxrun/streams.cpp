// Streams and events. Without PTXRUN_ASYNC every operation runs at once. With it, operations on created streams wait in
// a queue until somebody must see their effect; then as little as possible runs, the youngest stream first, or
// (PTXRUN_SCHED) any stream's oldest operation by chance.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <random>

#include "device.hpp"

struct Stream;
struct Record {
  bool done = false;
  double ms = 0;
  Stream* s = nullptr;
};
struct Op {  // run once `after` is done, then `record` is
  std::function<void()> run;
  std::shared_ptr<Record> after, record;
};
struct Stream {
  int dev;
  unsigned flags;
  int priority;
  bool dead = false, busy = false;
  std::deque<Op> q{};
  bool work() const { return busy || !q.empty(); }
};
struct Event {
  int dev;
  unsigned flags;
  std::shared_ptr<Record> last;
};
static auto& live_streams = *new std::vector<Stream*>;
static auto& live_events = *new std::vector<Event*>;
static auto& queue_mutex = *new std::mutex;
static auto& queue_changed = *new std::condition_variable;
typedef std::unique_lock<std::mutex> QueueLock;

StreamCounts count_streams() {
  StreamCounts counts{0, live_events.size(), 0};
  for (Stream* s : live_streams) {
    counts.queued += s->q.size();
    counts.streams += !s->dead;
  }
  return counts;
}

static double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static bool is_default(void* s) { return (u64)s <= 2; }  // legacy and per-thread default stream
static Stream* stream_of(void* s) {
  auto it = std::find(live_streams.begin(), live_streams.end(), (Stream*)s);
  return it == live_streams.end() || (*it)->dead ? nullptr : *it;
}
static Event* event_of(void* e) {
  auto it = std::find(live_events.begin(), live_events.end(), (Event*)e);
  return it == live_events.end() ? nullptr : *it;
}

static void advance(QueueLock& l, Stream* s) {  // run the oldest operation of s, or of the stream that it waits for
  while (!s->busy && !s->q.empty() && s->q.front().after && !s->q.front().after->done) s = s->q.front().after->s;
  if (s->busy) {
    queue_changed.wait(l);
    return;
  }  // another host thread runs it
  if (s->q.empty()) return;
  Op op = std::move(s->q.front());
  s->q.pop_front();
  s->busy = true;
  if (op.run) {
    l.unlock();
    op.run();
    l.lock();
  }
  s->busy = false;
  if (op.record) {
    op.record->ms = now();
    op.record->done = true;
  }
  queue_changed.notify_all();
}
template <class Mine>
static void drain(QueueLock& l, Mine mine) {  // until the streams chosen by `mine` have no work; others may overtake
  static auto& rng = *new std::mt19937((unsigned)settings().order_seed);
  for (;;) {
    Stream* s = nullptr;
    std::vector<Stream*> any;
    for (Stream* x : live_streams)
      if (x->work()) {
        any.push_back(x);
        if (mine(x)) s = x;
      }
    if (!s) break;
    advance(l, settings().order_seed ? any[rng() % any.size()] : s);
  }
  live_streams.erase(std::remove_if(live_streams.begin(), live_streams.end(),
                                    [](Stream* x) {
                                      bool gone = x->dead && !x->work();
                                      if (gone) delete x;
                                      return gone;
                                    }),
                     live_streams.end());
}
void drain_device(int dev) {
  QueueLock l(queue_mutex);
  drain(l, [=](Stream* x) { return x->dev == dev; });
}
static void drain_blocking(QueueLock& l, int dev) {
  drain(l, [=](Stream* x) { return x->dev == dev && !(x->flags & cudaStreamNonBlocking); });
}

int ptx_submit(void* h, bool async, std::function<void()> f, bool host_function) {
  QueueLock l(queue_mutex);
  int dev = ptx_device();
  Stream* s = is_default(h) ? nullptr : stream_of(h);
  if (!s && !is_default(h)) return cudaErrorInvalidResourceHandle;
  if (s) dev = s->dev;
  std::function<void()> run = host_function ? std::move(f) : [dev, f = std::move(f)] {
    std::lock_guard<std::mutex> x(device_table()[dev].exec);
    f();
  };
  if (s && async && settings().async) {
    s->q.push_back({std::move(run), nullptr, nullptr});
    return 0;
  }
  if (s)
    drain(l, [=](Stream* x) { return x == s; });
  else
    drain_blocking(l, dev);
  l.unlock();
  run();
  return 0;
}
int ptx_stream_create(void** s, unsigned flags, int priority) {
  QueueLock l(queue_mutex);
  *s = new Stream{ptx_device(), flags, priority};
  live_streams.push_back((Stream*)*s);
  return 0;
}
int ptx_stream_destroy(void* h) {
  QueueLock l(queue_mutex);
  Stream* s = stream_of(h);
  if (!s) return cudaErrorInvalidResourceHandle;
  s->dead = true;
  drain(l, [](Stream*) { return false; });
  return 0;  // queued work stays queued
}
int ptx_stream_info(void* h, int* dev, unsigned* flags, int* priority) {
  QueueLock l(queue_mutex);
  static const Stream none{0, 0, 0};
  const Stream* s = is_default(h) ? &none : stream_of(h);
  if (!s) return cudaErrorInvalidResourceHandle;
  *dev = s == &none ? ptx_device() : s->dev;
  *flags = s->flags;
  *priority = s->priority;
  return 0;
}
int ptx_stream_sync(void* h, bool query) {
  QueueLock l(queue_mutex);
  Stream* s = is_default(h) ? nullptr : stream_of(h);
  if (!s && !is_default(h)) return cudaErrorInvalidResourceHandle;
  if (query && s) {
    if (s->work()) {
      advance(l, s);
      return cudaErrorNotReady;
    }
    return 0;
  }
  if (s)
    drain(l, [=](Stream* x) { return x == s; });
  else
    drain_blocking(l, ptx_device());
  return 0;
}
int ptx_sync(int dev) {
  drain_device(dev < 0 ? ptx_device() : dev);
  return 0;
}
int ptx_stream_wait(void* h, void* e) {
  QueueLock l(queue_mutex);
  Event* v = event_of(e);
  Stream* s = is_default(h) ? nullptr : stream_of(h);
  if (!v || (!s && !is_default(h))) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<Record> r = v->last;
  if (!r || r->done) return 0;
  if (s)
    s->q.push_back({nullptr, r, nullptr});
  else
    while (!r->done) advance(l, r->s);
  return 0;
}
int ptx_event_create(void** e, unsigned flags) {
  QueueLock l(queue_mutex);
  *e = new Event{ptx_device(), flags, nullptr};
  live_events.push_back((Event*)*e);
  return 0;
}
int ptx_event_destroy(void* e) {
  QueueLock l(queue_mutex);
  Event* v = event_of(e);
  if (!v) return cudaErrorInvalidResourceHandle;
  live_events.erase(std::find(live_events.begin(), live_events.end(), v));
  delete v;
  return 0;
}
int ptx_event_record(void* e, void* h) {
  QueueLock l(queue_mutex);
  Event* v = event_of(e);
  Stream* s = is_default(h) ? nullptr : stream_of(h);
  if (!v || (!s && !is_default(h))) return cudaErrorInvalidResourceHandle;
  if (v->dev != (s ? s->dev : ptx_device())) return cudaErrorInvalidResourceHandle;
  auto r = std::make_shared<Record>();
  r->s = s;
  v->last = r;
  if (s && s->work()) {
    s->q.push_back({nullptr, nullptr, r});
    return 0;
  }
  if (!s) drain_blocking(l, v->dev);
  r->ms = now();
  r->done = true;
  return 0;
}
int ptx_event_sync(void* e, bool query) {
  QueueLock l(queue_mutex);
  Event* v = event_of(e);
  if (!v) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<Record> r = v->last;
  if (!r || r->done) return 0;
  if (query) {
    advance(l, r->s);
    return cudaErrorNotReady;
  }
  while (!r->done) advance(l, r->s);
  return 0;
}
int ptx_event_elapsed(float* ms, void* a, void* b) {
  QueueLock l(queue_mutex);
  Event *x = event_of(a), *y = event_of(b);
  if (!x || !y || !x->last || !y->last || ((x->flags | y->flags) & cudaEventDisableTiming) || x->dev != y->dev)
    return cudaErrorInvalidResourceHandle;
  if (!x->last->done || !y->last->done) return cudaErrorNotReady;
  *ms = (float)(y->last->ms - x->last->ms);
  return 0;
}
