import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { against } from './fixtures/against.ts';
import { answerPlaces, sendJson } from './fixtures/places.ts';

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
    (request, answer) => {
      const { url = '' } = request;
      requests.push(url);
      if (answerPlaces(request, answer)) return;
      if (url === '/deployments/4/access_rules') return sendJson(answer, [office]);
      if (url.startsWith('/deployments/4/')) return sendJson(answer, []);
      const name = url.includes('/deployments/')
        ? 'orders'
        : url.includes('/environments/')
          ? 'dev'
          : 'payments';
      sendJson(answer, { id: 4, name, labels: {}, upgrades: [], status: 'initialized' });
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
