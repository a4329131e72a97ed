import { safeNatsReleases } from '@sluice/system/nats-server';
import { z } from 'zod';

export const natsEnvironment = z.object({
  NATS_SERVER_PATH: z.string().default('nats-server').describe(`nats-server ${safeNatsReleases}`),
});
