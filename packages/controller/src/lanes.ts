/** Work that waits for a place. */
export interface Candidate {
  key: number | string;
  /** among candidates the group with the least running work goes first; without one each is a group of its own */
  group?: number | string;
  /** true if its last run failed or took long */
  slow?: boolean;
}

export interface LaneSizes {
  /** places in all */
  size: number;
  /** places of these that slow work may take, at least 1 */
  slow: number;
}

/**
 * The places for concurrent work. Slow work takes a part of them at most, so work that hangs does not hold up the rest. Groups (tenants)
 * get turns: the one with the least running work is next.
 */
export class Lanes<C extends Candidate> {
  readonly #sizes: LaneSizes;
  readonly #running = new Map<C['key'], { group: number | string | undefined; slow: boolean }>();
  #waiting: readonly C[] = [];

  constructor(sizes: LaneSizes) {
    this.#sizes = { ...sizes, slow: Math.max(1, sizes.slow) };
  }

  get size(): number {
    return this.#sizes.size;
  }
  get running(): number {
    return this.#running.size;
  }
  get waiting(): number {
    return this.#waiting.length;
  }
  /** free places: all of them, and those that slow work may take */
  get room(): { all: number; slow: number } {
    const slow = [...this.#running.values()].filter((one) => one.slow).length;
    const all = Math.max(0, this.#sizes.size - this.#running.size);
    return { all, slow: Math.max(0, Math.min(all, this.#sizes.slow - slow)) };
  }

  /** Replaces the candidates that wait; their order is the order of turns within a group. */
  wait(candidates: readonly C[]): void {
    this.#waiting = candidates;
  }

  /** Takes the next candidate that has room. What runs already stays out. */
  next(): C | undefined {
    const { all, slow } = this.room;
    if (all === 0) return undefined;
    const fitting = this.#waiting.filter((one) => !this.#running.has(one.key) && (!one.slow || slow > 0));
    const [first, ...others] = fitting;
    if (!first) return undefined;
    const running = this.#countByGroup();
    const load = ({ group }: C) => (group === undefined ? 0 : (running.get(group) ?? 0));
    const chosen = others.reduce((best, one) => (load(one) < load(best) ? one : best), first);
    this.#waiting = this.#waiting.filter((one) => one !== chosen);
    this.begin(chosen);
    return chosen;
  }

  /** Gives a place to work that holds its lease already. */
  begin({ key, group, slow = false }: C): void {
    this.#running.set(key, { group, slow });
  }

  has(key: C['key']): boolean {
    return this.#running.has(key);
  }

  /** Moves running work to the slow places. @returns false if these are taken */
  slowDown(key: C['key']): boolean {
    const running = this.#running.get(key);
    if (!running || running.slow) return true;
    const slow = [...this.#running.values()].filter((one) => one.slow).length;
    if (slow >= this.#sizes.slow) return false;
    running.slow = true;
    return true;
  }

  end(key: C['key']): void {
    this.#running.delete(key);
  }

  #countByGroup(): Map<number | string, number> {
    const counts = new Map<number | string, number>();
    for (const { group } of this.#running.values())
      if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
    return counts;
  }
}
