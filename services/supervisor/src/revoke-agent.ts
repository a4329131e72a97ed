import { idOf, nodeIdSchema, type NodeId } from '@sluice/contracts';
import { createLog, createPool, databaseUrl, readConfig } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { supervisorEnvironment } from './config.ts';
import type { Tables } from '@sluice/region-store/tables';
import { revokeAgent } from '@sluice/region-store/nodes.store';

/**
 * `node services/supervisor/src/revoke-agent.ts <node id>`, with the `DATABASE_URL` of the region's supervisor: takes the
 * key of a node's agent away, such as one that may have been stolen. It is refused at once, also where a request of it
 * is being held; its broker goes on. The node can enrol again with another key, by the token that its driver gives it.
 */

const environment = readConfig(
  supervisorEnvironment.pick({ DATABASE_URL: true, DATABASE_TLS_CA_FILE: true }),
);
const asked = nodeIdSchema.safeParse(Number(process.argv[2]));
const pool = createPool(databaseUrl(environment), 1, createLog('revoke-agent', 'warn', 'stderr'));
try {
  const deployment = asked.success && (await revokeAgent(openKysely<Tables>(pool), idOf<NodeId>(asked.data)));
  if (deployment)
    process.stdout.write(`The agent of node ${asked.data} of deployment ${deployment} is refused.\n`);
  else {
    process.stderr.write('There is no such node.\n');
    process.exitCode = 1;
  }
} finally {
  await pool.end();
}
