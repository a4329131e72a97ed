import type { DesiredCluster } from '@sluice/contracts';
import { createAuthority, issueCertificate } from '@sluice/system/authority';
import { readCluster } from './cluster.ts';

test('a broker is one of its cluster by the name that the others know it by, wherever it listens', async () => {
  const validity = { from: new Date(), days: 1 };
  const authority = await createAuthority('nodes', validity);
  const pair = await issueCertificate(authority, { dns: ['*.brokers'], addresses: [] }, validity, 'peer');
  const cluster: DesiredCluster = {
    ...{ name: 'deployment-1', server_name: 'node-2', host: '0.0.0.0', may_restart: false },
    routes: [1, 2].map((id) => ({ server_name: `node-${id}`, host: `node-${id}.brokers`, port: 6222 })),
    credentials: { username: 'nodes', password: 'x' },
    tls: { ...pair, authority: authority.certificate },
  };
  expect(readCluster(cluster, '/files', 6222).root['cluster']).toMatchObject({
    listen: '0.0.0.0:6222',
    routes: ['nats-route://nodes:x@node-2.brokers:6222', 'nats-route://nodes:x@node-1.brokers:6222'],
  });
});
