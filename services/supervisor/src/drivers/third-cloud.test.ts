import { clouds, type Cloud } from '@sluice/contracts';
import { drivers as local } from '@sluice/driver-local';
import { drivers as machines } from '@sluice/driver-machines';
import { registryOf } from '@sluice/drivers';
import { cloudC, ThirdCloud, thirdCloudDrivers } from '@sluice/drivers/testing/third-cloud/index.ts';
import { aDeployment, eventually } from '@sluice/testing';
import { supervisor } from '#test/region.ts';

const name = 'cloud_c' as Cloud;
Object.assign(clouds, { [name]: cloudC });
const cloud = new ThirdCloud();
const registry = registryOf([...local, ...machines, ...thirdCloudDrivers(cloud)]);
const environment = {
  ...{ COMPUTE_DRIVER: 'cloud_c', NETWORK_DRIVER: 'cloud_c', BYOC_DRIVER: 'cloud_c' },
  CLOUD_C_IMAGE: 'image-1',
};

const region = supervisor({ place: { cloud: name, region: 'us-east-1' }, environment });

test('a supervisor makes and deletes nodes by a driver that it knows from its registration alone', async () => {
  await region.startWith({ registry });
  const shape = aDeployment({ cloud: name, region: 'us-east-1' });
  const [node] = shape.nodes;
  await region.apply(shape);
  await eventually(async () => {
    expect(cloud.machines.get(node!.id)).toMatchObject({ deployment: shape.uid });
    const deployments = await region.sql('SELECT status FROM deployments WHERE id = $1', [shape.id]);
    expect(deployments).toEqual([{ status: 'waiting_for_nodes' }]);
  });
  // a machine's agent enrols with it
  expect(cloud.machines.get(node!.id)?.token).toMatch(/^[\w-]{43}$/);

  await region.remove(shape.id);
  await eventually(async () => {
    expect(cloud.machines.size).toBe(0);
    expect(await region.sql('SELECT 1 FROM deployments WHERE id = $1', [shape.id])).toEqual([]);
  });
});

test('what a driver makes before a gateway lets in the region itself, which relays sessions with brokers', async () => {
  await region.stopAll();
  await region.startWith({ registry }, { environment: { BROKER_RELAY_SOURCES: '192.0.2.0/24' } });
  const shape = aDeployment({ cloud: name, region: 'us-east-1' });
  await region.apply(shape);
  await eventually(() =>
    expect(cloud.machines.get(shape.nodes[0]!.id)?.rules.at(-1)).toEqual({
      ...{ protocols: ['broker_websocket'], cidr_blocks: ['192.0.2.0/24'], valid_to: null },
    }),
  );
});

test.each([
  [{ NETWORK_DRIVER: 'cloud_d' }, /NETWORK_DRIVER: has to be one of emulated, cloud_c/],
  [{ COMPUTE_DRIVER: 'cloud_d' }, /COMPUTE_DRIVER: has to be one of local, cloud_c/],
  [{ CLOUD_C_IMAGE: '' }, /CLOUD_C_IMAGE is missing: COMPUTE_DRIVER=cloud_c needs it/],
  [{ CLOUD: 'cloud_a' }, /COMPUTE_DRIVER: cloud_c is not for cloud_a/],
])('%o is refused at the start, with what is known', async (wrong, message) => {
  await expect(region.startWith({ registry }, { environment: wrong })).rejects.toThrow(message);
});
