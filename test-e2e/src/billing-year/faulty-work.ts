import type { Sender, Topology } from '@sluice/contracts';
import { createUnitOfWork, type UnitOfWork } from '@sluice/messaging';
import type { RunTransaction, Sql } from '@sluice/service';

/** What is done to transactions. */
export interface Kills {
  random: () => number;
  /** share of transactions whose connection the server ends before the commit, and of those whose commit nobody hears of */
  share: number;
  done: { before: number; after: number };
}

class NotHeardOf extends Error {}

/** A unit of work whose process is killed now and then: its connection ends before the commit, or its caller never learns of the commit. */
export function faultyWork<Handle extends Sql>(
  options: { transaction: RunTransaction<Handle>; topology: Topology; sender: Sender; now: () => Date },
  { random, share, done }: Kills,
): UnitOfWork<Handle> {
  const work = createUnitOfWork<Handle>({
    ...options,
    async beforeCommit(sql) {
      if (random() >= share) return;
      done.before++;
      await sql.query('SELECT pg_terminate_backend(pg_backend_pid())');
    },
  });
  return async (origin, change) => {
    const result = await work(origin, change);
    if (random() < share) {
      done.after++;
      throw new NotHeardOf();
    }
    return result;
  };
}

/** Does something again and again, as whoever takes over from a killed process does. */
export async function persistently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await act();
    } catch (error) {
      const killed =
        error instanceof NotHeardOf ||
        /terminat|connect|closed|deadlock|released/i.test(error instanceof Error ? error.message : '');
      if (!killed || tries > 20) throw error;
    }
}
