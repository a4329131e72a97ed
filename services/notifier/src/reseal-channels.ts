import { createLog, createPool, openKysely, readConfig } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { z } from 'zod';
import type { Tables } from './database/tables.ts';
import { channelVault } from './features/channels/channel-secrets.ts';
import { resealChannels } from './features/channels/reseal.ts';

/**
 * `node services/notifier/src/reseal-channels.ts`, with the notifier's `DATABASE_URL` and `SECRETS_KEYS`: encrypts what is stored of
 * channels under the newest key, after which the others can be taken out of `SECRETS_KEYS`.
 */

const environment = readConfig(z.object({ DATABASE_URL: z.url(), SECRETS_KEYS: secretKeysSchema }));
const pool = createPool(environment.DATABASE_URL, 1, createLog('reseal-channels', 'warn', 'stderr'));
try {
  const vault = channelVault(secretBox(environment.SECRETS_KEYS));
  const resealed = await resealChannels(openKysely<Tables>(pool), vault);
  process.stdout.write(`Channels that were encrypted anew: ${resealed}.\n`);
} finally {
  await pool.end();
}
