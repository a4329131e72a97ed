import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId, type NetworkLinkId } from '@sluice/contracts';
import { migrate } from '@sluice/service';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { linkContract } from '#test/link-contract.ts';
import type { WantedLink } from '../database/links.ts';
import type { Tables } from '../database/tables.ts';
import { emulatedLinks } from './emulated-links.ts';
import type { LinkDriver } from './network-driver.ts';

let server: TestDatabase;
let connections: pg.Pool;
let driver: LinkDriver;

beforeAll(async () => {
  server = await testDatabase();
  connections = new pg.Pool({ connectionString: server.url, max: 5 });
  await migrate(connections, new URL('../../migrations/', import.meta.url));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) });
  driver = emulatedLinks({ database, region: 'us-central1', peers: 'accept' });
});
afterAll(async () => {
  await connections.end();
  await server.drop();
});

const common = () => ({
  ...{ id: idOf<NetworkLinkId>(1), uid: randomUUID(), facts: {} },
  deployment: { id: idOf<DeploymentId>(1), uid: randomUUID(), subnet: '10.64.1.0/24', brokers: [] },
});
const peering = (): WantedLink => ({
  ...{ ...common(), kind: 'cloud_b_peering', status: 'inactive' },
  wanted: { peer_vpc_name: 'office', peer_project_id: 'acme-streaming', peer_vpc_cidr: '172.16.0.0/16' },
});
const service = (): WantedLink => ({
  ...{ ...common(), kind: 'cloud_a_service', status: 'pending' },
  wanted: { acceptance_required: true, allowed_principals: [] },
});

const rows = async (uid: string) =>
  (await connections.query<{ state: string }>('SELECT state FROM emulated_links WHERE uid = $1', [uid])).rows;

linkContract('the emulated network', {
  isThere: () => true,
  isSafeForTwo: true,
  driver: () => driver,
  links: {
    'a peering': () => Promise.resolve({ link: peering(), becomes: 'active' }),
    'an endpoint service': () => Promise.resolve({ link: service(), becomes: 'available' }),
  },
  present: ({ uid }) => rows(uid),
  changes: async () => {
    const { rows: all } = await connections.query('SELECT uid, xmin::text FROM emulated_links ORDER BY uid');
    return JSON.stringify(all);
  },
});
