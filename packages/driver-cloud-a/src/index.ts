import { defineDriver, type DriverHost, type NodeProvider } from '@sluice/drivers';
import { ConfigError } from '@sluice/system';
import type { RoleNodes } from './compute/access.ts';
import { cloudASettings, type CloudASettings } from './settings.ts';

const longestTag = 256;

export const drivers = [
  defineDriver({
    name: 'cloud_a',
    cloud: 'cloud_a',
    settings: cloudASettings,
    byoc: {
      check({ CLOUD_A_IMAGE }) {
        if (CLOUD_A_IMAGE === undefined)
          throw new ConfigError('CLOUD_A_IMAGE is missing: BYOC_DRIVER=cloud_a needs it');
      },
      create: createInstances,
    },
    network: {
      async create({ region }) {
        const { cloudADriver } = await import('./network/driver.ts');
        return cloudADriver(region);
      },
    },
  }),
];

/** Undefined where the settings name no image. */
async function createInstances(
  { region, supervisor, now, ...host }: DriverHost,
  { CLOUD_A_IMAGE: image, CLOUD_A_INSTANCE_TYPES: instanceTypes }: CloudASettings,
): Promise<NodeProvider | undefined> {
  if (image === undefined) return undefined;
  const { createCloudADriver } = await import('./compute/cloud-a-driver.ts');
  const { createCloudAVolumes } = await import('./volumes/cloud-a-volumes.ts');
  const { accessCheck } = await import('./compute/check-access.ts');
  const check = accessCheck({ region, image });
  const nodes = host.nodes as RoleNodes;
  const common = {
    ...{ region, now, supervisor: supervisor.slice(0, longestTag) },
    findAccess: nodes.findAccess,
    listAccesses: () => nodes.listAccesses('cloud_a'),
  };
  return {
    compute: createCloudADriver({
      ...{ ...common, image, instanceTypes },
      enrolmentCommand: nodes.enrolmentCommand,
    }),
    volumes: createCloudAVolumes({ ...common, findCopyAccess: nodes.findCopyAccess }),
    tryAccess: ({ external_id = '', ...access }, tenant, signal) =>
      check({ ...access, external_id }, tenant, signal),
  };
}
