import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { against } from './against.ts';

const office = {
  ...{ id: 7, name: 'office', cidr_blocks: ['192.0.2.0/24'], valid_to: null, remarks: null },
  rules: { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false },
};

/** The requests of `sluice diff` of a document about a deployment that there is. */
async function asked(ofDeployment: string) {
  const requests: string[] = [];
  const file = join(await testFolder(), 'org.yaml');
  await writeFile(
    file,
    `divisions: [{ name: payments, environments: [{ name: dev, deployments: [{ name: orders${ofDeployment} }] }] }]`,
  );
  const ended = await against(
    ({ url = '', headers: { host } }, answer) => {
      requests.push(url);
      const json = (body: unknown) =>
        answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const region = { cloud: 'cloud_a', region: 'us-east-1', supervisor_url: `http://${host}` };
      const environment = { id: 3, name: 'dev', deployments: [{ id: 4, name: 'orders', ...region }] };
      if (url === '/context') return json({ tenant: { id: 1 }, regions: [] });
      if (url.endsWith('/structure'))
        return json({
          id: 1,
          name: 'Acme',
          divisions: [{ id: 2, name: 'payments', environments: [environment] }],
        });
      if (url === '/deployments/4/access_rules') return json([office]);
      if (url.startsWith('/deployments/4/')) return json([]);
      const name = url.includes('/deployments/')
        ? 'orders'
        : url.includes('/environments/')
          ? 'dev'
          : 'payments';
      json({ id: 4, name, labels: {}, upgrades: [], status: 'initialized' });
    },
    ['diff', '-f', file],
  );
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return requests.filter((url) => url.startsWith('/deployments/4')).sort();
}

test('of what a deployment has in its region only what the document is about is read', async () => {
  expect(await asked('')).toEqual([]);
  expect(await asked(', access_rules: [{ name: office, cidr_blocks: [192.0.2.0/24] }]')).toEqual([
    '/deployments/4/access_rules',
  ]);
  // a connector has its values in a configuration
  expect(await asked(', connectors: [{ key: out, absent: true }]')).toEqual([
    '/deployments/4/configs',
    '/deployments/4/connectors/instances',
  ]);
});
