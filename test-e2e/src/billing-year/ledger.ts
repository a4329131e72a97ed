import type { Spans } from './charged.ts';

/** The times that reports have named, by deployment: an interval is reported again with a later end. */
export class Ledger {
  #ends = new Map<string, Map<number, number>>();

  add(uid: string, from: number, to: number): void {
    const ends = this.#ends.get(uid) ?? new Map<number, number>();
    this.#ends.set(uid, ends.set(from, Math.max(to, ends.get(from) ?? 0)));
  }

  copy(): Ledger {
    const copy = new Ledger();
    copy.#ends = new Map([...this.#ends].map(([uid, ends]) => [uid, new Map(ends)]));
    return copy;
  }

  /** Takes over what another one has. */
  join(other: Ledger): void {
    for (const [uid, ends] of other.#ends) for (const [from, to] of ends) this.add(uid, from, to);
  }

  /** In their order, none overlaps another. */
  spansOf(uid: string): Spans {
    const spans: Spans = [];
    for (const [from, to] of [...(this.#ends.get(uid) ?? [])].toSorted(([one], [other]) => one - other)) {
      const last = spans.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else spans.push([from, to]);
    }
    return spans;
  }
}
