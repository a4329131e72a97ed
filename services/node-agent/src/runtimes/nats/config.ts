import { safeNatsReleases } from '@sluice/system/nats-server';
import { z } from 'zod';

export const natsEnvironment = z.object({
  STREAM_PAGE_FILES: z
    .string()
    .optional()
    .describe(
      'folder with the built page of streams, which is served at broker_http; without it there is none',
    ),
  NATS_SERVER_PATH: z.string().default('nats-server').describe(`nats-server ${safeNatsReleases}`),
});
