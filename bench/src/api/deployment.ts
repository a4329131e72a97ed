import { idOf, type DeploymentId, type DivisionId, type NodeId, type TenantId } from '@sluice/contracts';
import { aDeployment } from '@sluice/testing';

/** A deployment of one node that is initialized, and that no reconciler looks at: statements for a region's database. */
export function deployment(tenantId: number, divisionId: number) {
  const id = idOf<DeploymentId>(1_000_000);
  const shape = aDeployment({
    id,
    uid: '3b0f0a52-6b55-4b0c-9d4c-0c9f6b6e5a11',
    tenant_id: idOf<TenantId>(tenantId),
    division: { id: idOf<DivisionId>(divisionId), name: 'default' },
    nodes: [{ id: idOf<NodeId>(id), name: 'node-1' }],
  });
  const ports = { broker_tcp: 4222, broker_http: 8080, broker_websocket: 8443, broker_udp: null };
  const runtimes = [{ runtime: 'broker', status: 'running', version: '2.11.0' }];
  return {
    id,
    statements: [
      {
        statement: `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, plain_text,
            status, status_changed_at, subnet)
          VALUES ($1, gen_random_uuid(), 1, $2, '{}', 'user', 'sealed', true, 'initialized', now(), '10.200.0.0/24')`,
        values: [id, JSON.stringify(shape)],
      },
      {
        statement: `INSERT INTO nodes (id, deployment_id, name, position, agent_version, last_heartbeat_at, runtimes, ports)
          VALUES ($1, $1, 'node-1', 0, '1.0.0', now(), $2, $3)`,
        values: [id, JSON.stringify(runtimes), JSON.stringify(ports)],
      },
      {
        statement: `INSERT INTO dns_records (domain, deployment_id, address) VALUES ('bench.example', $1, '127.0.0.1')`,
        values: [id],
      },
    ],
  };
}
