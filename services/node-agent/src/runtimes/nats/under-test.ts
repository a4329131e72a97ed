import type { z } from 'zod';

/** What checks need of a nats-server. */
export interface NatsUnderTest {
  program: string;
  store: string;
  logFile: string;
  /** What a page of the server's monitoring says. @throws Error when no server answers */
  page: <Shape extends z.ZodType>(path: string, shape: Shape) => Promise<z.infer<Shape>>;
}
