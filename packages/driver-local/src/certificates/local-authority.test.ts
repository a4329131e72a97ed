import { X509Certificate } from 'node:crypto';
import { idOf, type DeploymentId } from '@sluice/contracts';
import { certificatesConformance } from '@sluice/drivers/conformance';
import { migrate } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { secretBox } from '@sluice/system/secrets';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import type { LocalTables } from '../tables.ts';
import { createLocalAuthority } from './local-authority.ts';

const day = 86_400_000;
let server: TestDatabase;
let connections: pg.Pool;
let today: number;

beforeAll(async () => {
  server = await testDatabase();
  connections = new pg.Pool({ connectionString: server.url, max: 5 });
  await migrate(connections, new URL('../../../../services/supervisor/migrations/', import.meta.url));
});
afterAll(async () => {
  await connections.end();
  await server.drop();
});
beforeEach(async () => {
  today = Date.now();
  await connections.query('TRUNCATE certificate_authorities');
});

/** The authority as a replica has it. */
const replica = () =>
  createLocalAuthority({
    database: openKysely<LocalTables>(connections),
    secrets: secretBox(new Map([['test', new Uint8Array(32)]])),
    ...{ name: 'Sluice test', authorityDays: 1_200, certificateDays: 90 },
    now: () => new Date(today),
  });

certificatesConformance('local', {
  isThere: () => true,
  driver: replica,
  aRequest: () =>
    Promise.resolve({
      ...{ deploymentId: idOf<DeploymentId>(8), hosts: ['192.0.2.8'] },
      names: ['orders.example', 'node-1.orders.example'],
    }),
  store: () => Promise.resolve(),
});

async function issue(names: string[] = ['orders.example'], hosts = ['192.0.2.7'], by = replica()) {
  const { certificate, authority } = await by.issue({ deploymentId: idOf<DeploymentId>(7), names, hosts });
  const authorities = authority.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? [];
  const leaf = new X509Certificate(certificate);
  const signer = authorities.findIndex((one) => leaf.checkIssued(new X509Certificate(one)));
  return { leaf, authorities, signer };
}

test('replicas share one authority, also those that begin at the same time', async () => {
  const issued = await Promise.all(Array.from({ length: 4 }, () => issue()));
  expect(new Set(issued.map(({ authorities }) => authorities.join())).size).toBe(1);
  expect(issued.map(({ authorities }) => authorities.length)).toEqual([1, 1, 1, 1]);
  const { rows } = await connections.query<{ sealed_key: string }>('SELECT * FROM certificate_authorities');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.sealed_key).not.toContain('PRIVATE KEY');
});

test('the next authority is told before it signs, and the former one after it', async () => {
  const { authorities: first } = await issue();
  today += 801 * day;
  const announced = await issue();
  expect(announced.authorities.slice(1)).toEqual(first);
  expect(announced.signer).toBe(1);
  today += 100 * day;
  const signed = await issue();
  expect(signed.authorities).toEqual(announced.authorities);
  expect(signed.signer).toBe(0);
  today += 300 * day;
  expect((await issue()).authorities).toEqual(announced.authorities.slice(0, 1));
});

test('a certificate names the deployment, and on a machine of its own that machine', async () => {
  const public_ = await issue();
  expect(public_.leaf.subjectAltName).toBe('DNS:orders.example, IP Address:192.0.2.7');
  const local = await issue([], ['127.0.0.1']);
  expect(local.leaf.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  const anywhere = await issue(['orders.example'], ['0.0.0.0']);
  expect(anywhere.leaf.subjectAltName).toBe('DNS:orders.example');
});
