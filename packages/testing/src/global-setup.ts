import { startTestServers } from './test-servers.ts';
import { keepForTeardown } from './shared-servers.ts';

/** jest's globalSetup: one PostgreSQL and one NATS server for the whole run; the tests find them by environment. */
export default async function setUp(): Promise<void> {
  const servers = await startTestServers();
  process.env.TEST_POSTGRES_URL = servers.postgresUrl;
  process.env.TEST_NATS_URL = servers.natsUrl;
  process.env.SLUICE_TEST_FOLDER = servers.folder;
  keepForTeardown(servers);
}
