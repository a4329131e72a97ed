import type { OutgoingMessage, Rejected } from './plugin.ts';

/**
 * What has become of the messages of a batch that could not be finished: when it is tried again, what the destination has taken or
 * refused is not sent again. It is forgotten with the process, and then all of the batch is sent again.
 */
export class Progress {
  readonly #taken = new Set<string>();
  readonly #refused = new Map<string, string>();

  taken({ id }: OutgoingMessage): void {
    this.#taken.add(id);
  }
  refused({ id }: OutgoingMessage, reason: string): void {
    this.#refused.set(id, reason);
  }

  left(batch: readonly OutgoingMessage[]): OutgoingMessage[] {
    return batch.filter(({ id }) => !this.#taken.has(id) && !this.#refused.has(id));
  }

  /** Forgets the batch, all of which has been taken or refused. @returns what was refused */
  finish(batch: readonly OutgoingMessage[]): Rejected[] {
    const refused = batch.flatMap(({ id }) => {
      const reason = this.#refused.get(id);
      return reason === undefined ? [] : [{ id, reason }];
    });
    for (const { id } of batch) {
      this.#taken.delete(id);
      this.#refused.delete(id);
    }
    return refused;
  }
}

/** Neighbours together, as many as have `most` bytes. */
export function pieces<T extends { bytes: number }>(all: readonly T[], most: number): T[][] {
  const cut: T[][] = [];
  let bytes = Infinity;
  for (const one of all) {
    if (bytes + one.bytes > most) {
      cut.push([]);
      bytes = 0;
    }
    cut.at(-1)?.push(one);
    bytes += one.bytes;
  }
  return cut;
}

export function halves<T>(all: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
