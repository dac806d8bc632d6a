"""What peers.py prints of its rows."""
from catalog import PEERS


def show(value, form):
    return "–" if value is None else format(value, form)


def show_rate(rate):
    return "–" if rate is None else f"{rate / 1e6:.0f}" if rate >= 1e9 else f"{rate / 1e6:.3g}"


def show_ratio(ratio):
    return "–" if ratio is None else f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.2g}" if ratio >= 10 else f"{ratio:.2f}"


def title(row):
    if row["peer"] == "conesweep":
        return "conesweep"
    peer = PEERS[row["peer"]]
    return peer.title + ("" if peer.same or row["workload"] == "indices" else " *")


def print_tables(rows, names, made, peers):
    for name in names:
        case = made[name]
        last = " | widest interval | intervals with the exact index" if name == "indices" else ""
        error = {"indices": "error of an index", "slope": "creep, m"}.get(name, "error at equal step, m")
        print(f"\n**{name}**, {case.title}\n\n| | million member·steps/s | ours : theirs | {error} | memory, MiB | cold start, s | lines{last} |\n|---|---|---|---|---|---|---|{'---|---|' if last else ''}")
        for row in (row for row in rows if row["workload"] == name):
            rate = show_rate(row["rate"]) if not row["wrong"] else f"not timed: {row['wrong']}"
            print(f"| {title(row)} | {rate} | {show_ratio(row['ratio'])} | {show(row['error'], '.2g')} | {show(row['memory'], '.0f')} | {show(row['cold'], '.2g')} | {show(row['lines'], 'd')} |"
                  + (f" {row['widest']:.2g} | {row['intervals']} |" if last and "widest" in row else ""))
    print("\n\\* by a method of its own; the others step by (P1)-(P6).\n\n| peer | left out | why |\n|---|---|---|")
    together = {}  # who is left out of the same for the same reason
    for peer in (PEERS[peer] for peer in peers):
        for why in dict.fromkeys(peer.excluded.values()):
            which = ", ".join(name for name in names if peer.excluded.get(name) == why)
            if which:
                together.setdefault((which, why), []).append(peer.title)
    for (which, why), who in together.items():
        print(f"| {'; '.join(who)} | {which} | {why} |")
    print("\n" + ", ".join(sorted({row["versions"] for row in rows if row["versions"] not in ("", "conesweep")}, key=str.lower)) + ".")
