import { createLog, createPool, openKysely, readConfig } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { z } from 'zod';
import type { Tables } from './database/tables.ts';
import { resealSinks } from './features/sinks/reseal.ts';

/**
 * `node services/audit/src/reseal-sinks.ts`, with the audit service's `DATABASE_WRITER_URL`, or its `DATABASE_URL`, and `SECRETS_KEYS`:
 * encrypts what is stored of sinks under the newest key, after which the others can be taken out of `SECRETS_KEYS`. Ends with 1 where
 * there are settings that none of the keys opens: their tenants have to say them again.
 */

const environment = readConfig(
  z.object({
    DATABASE_URL: z.url(),
    DATABASE_WRITER_URL: z.url().optional(),
    SECRETS_KEYS: secretKeysSchema,
  }),
);
const { DATABASE_URL, DATABASE_WRITER_URL = DATABASE_URL } = environment;
const pool = createPool(DATABASE_WRITER_URL, 1, createLog('reseal-sinks', 'warn', 'stderr'));
try {
  const { resealed, unreadable } = await resealSinks(
    openKysely<Tables>(pool),
    secretBox(environment.SECRETS_KEYS),
  );
  process.stdout.write(`Sinks that were encrypted anew: ${resealed}.\n`);
  if (unreadable.length > 0) {
    process.stderr.write(`No key opens the sinks of these tenants: ${unreadable.join(', ')}.\n`);
    process.exitCode = 1;
  }
} finally {
  await pool.end();
}
