import { z } from 'zod';

export const configurationSchema = z.object({
  prefix: z.string(),
  statusFile: z.string(),
  /** ends the program at its start, with these words */
  fatal: z.string().nullable(),
});

/** What it tells about itself once it listens. */
export const statusSchema = z.object({ pid: z.int(), port: z.int(), prefix: z.string() });
