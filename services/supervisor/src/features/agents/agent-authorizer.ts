import { type DeploymentId, type NodeId, idOf } from '@sluice/contracts';
import { problem, type Authorizer, type Problem } from '@sluice/service-kit';
import { decodeJwt, errors, importJWK, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Database } from '../../database/tables.ts';
import { findNode } from '../../stores/nodes.store.ts';

/** The node whose agent is calling. */
export interface Agent {
  nodeId: NodeId;
  deploymentId: DeploymentId;
  /** the public key by which it has shown itself: what it asks for is answered only while the node has that one */
  key: string;
}

/** The caller of an operation that needs no token. */
const nobody: Agent = { nodeId: idOf<NodeId>(0), deploymentId: idOf<DeploymentId>(0), key: '' };

const audience = 'sluice-supervisor';
const longestSeconds = 60;
/** how far the clocks of a node and of the supervisor may be apart */
const toleranceSeconds = 5;

/** tokens that are remembered: agents use one several times while it lasts */
const mostTokens = 50_000;

interface Verified {
  agent: Agent;
  /** milliseconds since 1970 */
  until: number;
}

/**
 * Recognises agents by the tokens that they sign: EdDSA with the key that the node has enrolled, `sub` the node's id,
 * valid for a minute at most. A token is verified once. That its key is still the node's is asked again by the
 * statement that does what the agent wants: a key that is revoked counts no more from then on.
 */
export function agentAuthorizer(database: Database, now: () => Date): Authorizer<Agent> {
  const verified = new LRUCache<string, Verified>({ max: mostTokens });

  async function recognise(token: string): Promise<Verified> {
    const node = await findNode(database, idOf<NodeId>(subjectOf(token)));
    if (!node?.public_key) throw unknownAgent();
    const until = await verify(token, node.public_key, now());
    return { agent: { nodeId: node.id, deploymentId: node.deployment_id, key: node.public_key.x }, until };
  }

  return async (request, declaration) => {
    if (declaration.kind === 'public') return nobody;
    const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined) throw unknownAgent();
    const name = hash('sha256', token, 'base64');
    const known = verified.get(name);
    if (known && now().getTime() < known.until) return known.agent;
    const fresh = await recognise(token);
    verified.set(name, fresh);
    return fresh.agent;
  };
}

/** The node that the token claims to be of; nothing is proven by that. */
function subjectOf(token: string): number {
  try {
    const subject = Number(decodeJwt(token).sub);
    if (Number.isSafeInteger(subject)) return subject;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw unknownAgent();
}

/** @returns until when it is valid, in milliseconds since 1970 */
async function verify(
  token: string,
  key: { kty: string; crv: string; x: string },
  now: Date,
): Promise<number> {
  try {
    const { payload } = await jwtVerify(token, await importJWK(key, 'EdDSA'), {
      algorithms: ['EdDSA'],
      audience,
      requiredClaims: ['sub', 'aud', 'exp'],
      clockTolerance: toleranceSeconds,
      currentDate: now,
    });
    const expiry = payload.exp ?? Infinity;
    if (expiry - now.getTime() / 1000 > longestSeconds + toleranceSeconds) throw unknownAgent();
    return (expiry + toleranceSeconds) * 1000;
  } catch (error) {
    throw error instanceof errors.JOSEError ? unknownAgent() : error;
  }
}

/** Who calls is no node's agent, or not any more. */
export function unknownAgent(): Problem {
  return problem('unauthenticated', {
    detail: 'The agent token is missing or not valid, or the node has been removed, or its key revoked.',
  });
}
