// What a running kernel asks of the host besides waiting: the memory checker, printf, assert, malloc and free on the
// device.
#include <atomic>
#include <cstdio>

#include "device.hpp"
#include "threads.hpp"

// memory checker: global accesses must lie in a live allocation or module variable, shared ones in the block's own;
// natural alignment
static std::atomic<u64> launch_number{1};
void forget_checked_memory() { ++launch_number; }
void rt_check(Ctx& c, u64 a, u32 n, int kind, int line) {
  if (settings().preempt && c.th && ++c.spin % (u32)settings().preempt == 0) rt_yield(c);
  static thread_local u64 lo = 1, hi = 0, seen = 0;  // last allocation hit; stale after any new launch
  if (seen != launch_number) {
    lo = 1;
    hi = 0;
  }
  const char* why = nullptr;
  char other[64];
  u32 al = n > 16 ? 16 : n;
  if (al && (a & (al - 1)))
    why = "misaligned";
  else if (a >= lo && a + n <= hi)
    return;
  else if (a - (u64)c.shared < c.shared_size) {
    if (a + n <= (u64)c.shared + c.shared_size) return;
    why = "beyond shared memory";
  } else if (c.is_local(a))
    return;
  else if (a - (u64)c.param < 4096)
    return;
  else {
    Place p = ptx_where((void*)a, n);
    if (p.kind == DEVICE && !ptx_has_peer(c.dev, p.dev)) {
      snprintf(other, sizeof other, "kernel of device %d, memory of device %d, no peer access:", c.dev, p.dev);
      why = other;
    } else if (p.on_device()) {
      lo = p.base;
      hi = lo + p.size;
      seen = launch_number;
      return;
    } else
      why = "out of bounds";
  }
  char b[256];
  snprintf(b, sizeof b, "%s %s of %u bytes at 0x%lx, PTX line %d, block (%u,%u,%u) thread (%u,%u,%u)", why,
           kind == 0   ? "read"
           : kind == 1 ? "write"
                       : "atomic",
           n, (unsigned long)a, line, c.ctaid[0], c.ctaid[1], c.ctaid[2], c.tid[0], c.tid[1], c.tid[2]);
  ptx_die(b);
}

// longer than 60 lines: a builtin after the other, by its name
void rt_builtin(Ctx& c, const char* name, u8** a) {
  std::string s = name;
  if (s == "vprintf") {  // a[0]=ret, a[1]=format, a[2]=arguments
    const char* f = *(const char**)a[1];
    const u8* p = *(const u8**)a[2];
    std::string out;
    size_t off = 0;
    int cnt = 0;
    for (; *f; ++f) {
      if (*f != '%') {
        out += *f;
        continue;
      }
      if (f[1] == '%') {
        out += '%';
        ++f;
        continue;
      }
      std::string sp = "%";
      ++f;
      bool ll = false;
      auto geti = [&](size_t n) {
        off = (off + n - 1) / n * n;
        u64 v = 0;
        memcpy(&v, p + off, n);
        off += n;
        return v;
      };
      while (*f && !strchr("diouxXcsfFeEgGaAp", *f)) {
        if (*f == 'l' || *f == 'z' || *f == 'j' || *f == 't')
          ll = true;
        else if (*f == '*')
          sp += std::to_string((int)geti(4));
        else if (*f != 'h')
          sp += *f;
        ++f;
      }
      char buf[512];
      char k = *f;
      if (strchr("fFeEgGaA", k)) {
        u64 v = geti(8);
        double d;
        memcpy(&d, &v, 8);
        snprintf(buf, sizeof buf, (sp + k).c_str(), d);
      } else if (k == 's')
        snprintf(buf, sizeof buf, (sp + k).c_str(), (const char*)geti(8));
      else if (k == 'p')
        snprintf(buf, sizeof buf, "%p", (void*)geti(8));
      else if (ll)
        snprintf(buf, sizeof buf, (sp + "ll" + k).c_str(), (long long)geti(8));
      else
        snprintf(buf, sizeof buf, (sp + k).c_str(), (int)geti(4));
      out += buf;
      ++cnt;
    }
    fwrite(out.data(), 1, out.size(), stdout);
    *(int*)a[0] = cnt;
  } else if (s == "__assertfail") {
    char b[900];
    snprintf(b, sizeof b, "device assertion `%s' failed at %s:%u (%s), block (%u,%u,%u) thread (%u,%u,%u)",
             *(char**)a[0], *(char**)a[1], *(u32*)a[2], *(char**)a[3], c.ctaid[0], c.ctaid[1], c.ctaid[2], c.tid[0],
             c.tid[1], c.tid[2]);
    ptx_die(b);
  } else if (s == "malloc")
    *(void**)a[0] = ptx_malloc(*(u64*)a[1], DEVICE, c.dev);
  else if (s == "free")
    ptx_free(*(void**)a[0], false);
  else
    ptx_die("builtin " + s);
}

void rt_trap(Ctx& c, int line) {
  char b[160];
  snprintf(b, sizeof b, "trap at PTX line %d, block (%u,%u,%u) thread (%u,%u,%u)", line, c.ctaid[0], c.ctaid[1],
           c.ctaid[2], c.tid[0], c.tid[1], c.tid[2]);
  ptx_die(b);
}
