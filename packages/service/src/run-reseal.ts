import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { z } from 'zod';
import { readConfig, serviceEnvironment } from './config.ts';
import { createPool, sqlOf } from './database/postgres.ts';
import { databaseUrl } from './database/tls.ts';
import { resealColumn, type SealedColumn } from './database/reseal.ts';
import { createLog } from './log.ts';

const environmentShape = z.object({
  ...serviceEnvironment.pick({ DATABASE_URL: true, DATABASE_TLS_CA_FILE: true }).shape,
  // of a service that works as another role than the one that migrates
  DATABASE_WRITER_URL: z.url().optional(),
  SECRETS_KEYS: secretKeysSchema,
});

/**
 * The program of a service, run with its database and `SECRETS_KEYS`, that seals what it has stored under the newest key. Afterwards the others can be taken
 * out of `SECRETS_KEYS`. Ends with 1 where no key opens a value, which has to be given anew.
 */
export async function runReseal(columns: readonly SealedColumn[]): Promise<void> {
  const environment = readConfig(environmentShape);
  const { DATABASE_WRITER_URL: DATABASE_URL = environment.DATABASE_URL, SECRETS_KEYS } = environment;
  const pool = createPool(databaseUrl({ ...environment, DATABASE_URL }), 1, createLog('reseal', 'warn', 'stderr'));
  try {
    for (const sealed of columns) {
      const { resealed, unreadable } = await resealColumn(sqlOf(pool), secretBox(SECRETS_KEYS), sealed);
      const name = `${sealed.table}.${sealed.column}`;
      process.stdout.write(`${name}: ${resealed} encrypted anew.\n`);
      if (unreadable.length === 0) continue;
      process.stderr.write(`No key opens ${name} of ${unreadable.join(', ')}.\n`);
      process.exitCode = 1;
    }
  } finally {
    await pool.end();
  }
}
