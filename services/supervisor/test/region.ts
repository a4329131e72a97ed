import { connect } from '@nats-io/transport-node';
import { topology } from '@sluice/contracts';
import { natsServerProgram } from '@sluice/embedded';
import { testDatabase, testFolder, testNats } from '@sluice/testing';
import pg from 'pg';
import { playMainApi } from './main-api.ts';
import { nodeProcesses } from './node-processes.ts';
import { startReplicas } from './replicas.ts';

/**
 * A region of a test's own: database, streams, and a folder for nodes. `close` ends everything, agents and brokers
 * included.
 */
export async function openRegion() {
  const database = await testDatabase();
  const testStreams = testNats();
  const names = topology(testStreams.namespace);
  const nodesFolder = await testFolder();
  const nats = await connect({ servers: testStreams.url });
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  // dropping the database ends its connections
  sql.on('error', () => undefined);
  const mainApi = await playMainApi(nats, names);
  const nodes = nodeProcesses(nodesFolder);
  const replicas = startReplicas({
    DATABASE_URL: database.url,
    NATS_URL: testStreams.url,
    NATS_NAMESPACE: testStreams.namespace,
    CLOUD: 'cloud_a',
    REGION: 'us-east-1',
    SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    LOCAL_NODES_DIR: nodesFolder,
    NATS_SERVER_PATH: await natsServerProgram(),
    HEARTBEAT_SECONDS: '0.5',
    LOG_LEVEL: 'error',
    VALIDATE_RESPONSES: 'true',
  });

  return {
    names,
    nats,
    nodesFolder,
    ...replicas,
    ...mainApi,
    ...nodes,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await sql.query<Row>(text, values)).rows,
    async close() {
      await replicas.stopAll();
      await nodes.endAll();
      mainApi.close();
      await sql.end();
      await nats.close();
      await database.drop();
      await testStreams.deleteNamespace();
    },
  };
}
export type Region = Awaited<ReturnType<typeof openRegion>>;
