import type { z } from 'zod';
import type { Check, Outcome } from '../../snapshots/check.ts';

/** What checks need of a nats-server. */
export interface NatsUnderTest {
  program: string;
  store: string;
  logFile: string;
  /** What a page of the server's monitoring says. @throws Error when no server answers */
  page: <Shape extends z.ZodType>(path: string, shape: Shape) => Promise<z.infer<Shape>>;
}

/** Makes checks of a group. */
export const checkOf =
  (group: string) =>
  (id: string, title: string, meaning: string, run: (signal: AbortSignal) => Promise<Outcome>): Check => ({
    id,
    group,
    title,
    meaning,
    run: (_node, signal) => run(signal),
  });
