import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { idOf, type DeploymentId, type NodeId, type TenantId } from '@sluice/contracts';
import type pg from 'pg';
import { aDeployment } from './deployment.ts';

/** A node of an initialized deployment whose agent has enrolled long ago, and its agent's key. */
export interface SimulatedNode {
  id: number;
  deploymentId: number;
  privateKey: KeyObject;
}

const ports = { broker_tcp: 4222, broker_http: null, broker_websocket: null, broker_udp: null };

/** What the agent of a healthy node says. */
export const healthyBeat = {
  agent_version: '1.0.0',
  applied_revision: 1,
  runtimes: [{ runtime: 'broker', status: 'running', version: '2.11.0', reason: null }],
  ports,
  statistics: {
    streams: 1,
    topics: 2,
    partitions: 2,
    segments: 3,
    messages: 0,
    consumer_groups: 0,
    clients: 4,
  },
};

/**
 * Writes `count` deployments of one node each into a supervisor's database, as they are once they are initialized; the ids
 * of deployments and nodes count up from `firstId`. They come up for a look spread over the next `restSeconds`.
 */
export async function insertInitialized(
  pool: Pick<pg.Pool, 'query'>,
  count: number,
  { firstId = 1_000_000, restSeconds = 300 }: { firstId?: number; restSeconds?: number } = {},
): Promise<SimulatedNode[]> {
  const nodes = Array.from({ length: count }, (_, index) => newNode(firstId + index));
  const keys = nodes.map(({ privateKey }) => publicPart(privateKey));
  await pool.query(
    `WITH made AS (
       SELECT $1::bigint + position - 1 AS id, key, position
       FROM unnest($2::text[]) WITH ORDINALITY AS made (key, position)
     ), deployment AS (
       INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, plain_text, status, status_changed_at)
       SELECT id, gen_random_uuid(), 1, $3::jsonb || jsonb_build_object('id', id, 'tenant_id', 1 + id % 100, 'code', to_hex(id)),
              '{"author": null, "api_key": null, "correlation_id": null}', 'user', '', true, 'initialized', now()
       FROM made
     ), reconciliation AS (
       INSERT INTO reconciliations (deployment_id, due_at)
       SELECT id, now() + make_interval(secs => $4 * position / $5) FROM made
     ), condition AS (
       INSERT INTO deployment_conditions (deployment_id, type, status, reason, message, changed_at)
       SELECT id, type, 'True', 'Completed', '', now()
       FROM made, unnest(ARRAY['SubnetAssigned', 'NetworkSecured', 'DnsConfigured', 'Initialized']) AS type
     )
     INSERT INTO nodes (id, deployment_id, name, position, public_key, applied_revision, agent_version,
                        last_heartbeat_at, runtimes, ports, statistics)
     SELECT id, id, 'node-1', 0, jsonb_build_object('kty', 'OKP', 'crv', 'Ed25519', 'x', key), 1, '1.0.0',
            now(), $6, $7, $8
     FROM made`,
    [
      firstId,
      keys,
      JSON.stringify(aDeployment({ nodes: [] })),
      restSeconds,
      count,
      JSON.stringify(healthyBeat.runtimes),
      JSON.stringify(ports),
      JSON.stringify(healthyBeat.statistics),
    ],
  );
  return nodes;
}

/** A token as the agent of the node signs it; valid for a minute. */
export function agentToken({ id, privateKey }: SimulatedNode): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: String(id), aud: 'sluice-supervisor', exp: Math.floor(Date.now() / 1000) + 60 };
  const signed = `${part({ alg: 'EdDSA' })}.${part(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** A node that has not enrolled. */
export function newNode(id: number): SimulatedNode {
  return { id, deploymentId: id, privateKey: generateKeyPairSync('ed25519').privateKey };
}

/** The public key of a node's agent, base64url, as a JWK has it. */
export function publicPart(privateKey: KeyObject): string {
  return String(privateKey.export({ format: 'jwk' }).x);
}

/** A deployment of one node, as a command of main-api has it. */
export function simulatedShape(id: number) {
  return aDeployment({
    id: idOf<DeploymentId>(id),
    tenant_id: idOf<TenantId>(1 + (id % 100)),
    code: id.toString(16),
    nodes: [{ id: idOf<NodeId>(id), name: 'node-1' }],
  });
}

/** Does what the agent of a new node does, once: it enrols, applies what is desired, and tells that all is well. */
export async function enrolAndReport(supervisorUrl: string, id: number, token: string): Promise<void> {
  const node = newNode(id);
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${supervisorUrl}/agent/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${agentToken(node)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  const x = publicPart(node.privateKey);
  await call('enrol', { token, public_key: { kty: 'OKP', crv: 'Ed25519', x } });
  const { revision } = JSON.parse(await call('desired?revision=0&wait=0')) as { revision: number };
  await call('heartbeats', { ...healthyBeat, applied_revision: revision });
}
