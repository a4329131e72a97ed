import { createClient } from '@sluice/client';
import { createPlaces } from '../src/places.ts';

const deployment = (id: number, name: string) => ({
  id,
  name,
  cloud: 'cloud_a',
  region: 'us-east-1',
  supervisor_url: 'http://127.0.0.1:1',
});
const structure = {
  id: 1,
  divisions: [
    {
      id: 2,
      name: 'payments',
      environments: [
        { id: 3, name: 'dev', deployments: [deployment(4, 'orders'), deployment(5, '6')] },
        { id: 7, name: 'live', deployments: [deployment(6, 'orders')] },
      ],
    },
  ],
};

function placesAt(base: string | null) {
  const client = createClient({ url: 'http://127.0.0.1:1', fetch: async () => Response.json(structure) });
  return createPlaces(client, async () => 1, base, new AbortController().signal);
}

test('a name is looked for in the default place first; several that fit are an error that names them', async () => {
  expect(await placesAt('payments/dev').find('deployment', 'orders')).toMatchObject({ deployment_id: 4 });
  await expect(placesAt(null).find('deployment', 'orders')).rejects.toMatchObject({
    exitCode: 2,
    details: ['payments/dev/orders  (id 4)', 'payments/live/orders  (id 6)'],
  });
});

test.each([null, 'payments/dev'])(
  'an id is one everywhere, also where a name is the same: %j',
  async (base) => {
    expect(await placesAt(base).find('deployment', '6')).toMatchObject({ path: 'payments/live/orders' });
  },
);

test.each(['', '/'])('a place without a name is not the default place: %j', async (written) => {
  const places = placesAt('payments/dev/orders');
  expect(await places.find('deployment', undefined)).toMatchObject({ deployment_id: 4 });
  for (const kind of ['division', 'environment', 'deployment'] as const)
    await expect(places.find(kind, written)).rejects.toMatchObject({ exitCode: 5 });
});
