import { serviceEnvironment } from '@sluice/service-kit';
import { z } from 'zod';

/** What main-api reads from its environment beyond what every service does. */
export const mainApiEnvironment = serviceEnvironment.extend({
  PUBLIC_URL: z.url().describe('where clients reach this API'),
  CATALOGUE_FILE: z.string().min(1).describe('path of the catalogue: clouds, regions, tiers, plans'),
  BASE_DOMAIN: z
    .hostname()
    .default('sluice.localhost')
    .describe("the domain that deployments' domains end in"),
});
export type MainApiEnvironment = z.infer<typeof mainApiEnvironment>;
