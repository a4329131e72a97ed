import { defineDriver } from '@sluice/drivers';
import { ConfigError } from '@sluice/system';
import { z } from 'zod';
import { ThirdCloud } from './cloud.ts';
import { thirdCloudLinks } from './links.ts';
import { thirdCloudNodes } from './nodes.ts';
import { thirdCloudVolumes } from './volumes.ts';

export { cloudC } from './record.ts';
export { ThirdCloud } from './cloud.ts';

/** A cloud that no release has, as its package would register it. */
export function thirdCloudDrivers(cloud = new ThirdCloud()) {
  const nodes = { compute: thirdCloudNodes(cloud), volumes: thirdCloudVolumes(cloud) };
  return [
    defineDriver({
      name: 'cloud_c',
      cloud: 'cloud_c',
      settings: {
        CLOUD_C_IMAGE: z.string().min(1).optional().describe('image of the machines'),
      },
      compute: {
        check({ CLOUD_C_IMAGE }) {
          if (CLOUD_C_IMAGE === undefined)
            throw new ConfigError('CLOUD_C_IMAGE is missing: COMPUTE_DRIVER=cloud_c needs it');
        },
        create: async () => nodes,
      },
      byoc: { create: async (_, { CLOUD_C_IMAGE }) => (CLOUD_C_IMAGE === undefined ? undefined : nodes) },
      network: { create: async () => ({ links: thirdCloudLinks(cloud) }) },
    }),
  ];
}
