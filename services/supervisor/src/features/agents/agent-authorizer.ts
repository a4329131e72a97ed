import { type DeploymentId, type NodeId, idOf } from '@sluice/contracts';
import type { Authorizer } from '@sluice/http';
import { problem, type Problem } from '@sluice/service';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import type { CryptoKey } from 'jose';
import { JOSEError } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import { hash } from 'node:crypto';
import type { Database } from '@sluice/region-store/tables';
import { findNode } from '@sluice/region-store/nodes.store';

/** The node whose agent is calling. */
export interface Agent {
  nodeId: NodeId;
  deploymentId: DeploymentId;
  /** the public key by which it has shown itself: what it asks for is answered only while the node has that one */
  key: string;
}

/** The caller of an operation that needs no token. */
const anonymous: Agent = { nodeId: idOf<NodeId>(0), deploymentId: idOf<DeploymentId>(0), key: '' };

const audience = 'sluice-supervisor';
const longestSeconds = 60;
/** how far the clocks of a node and of the supervisor may be apart */
const toleranceSeconds = 5;

/** as many nodes, and tokens, as are remembered: an agent uses a token several times while it lasts */
const mostRemembered = 50_000;

interface Known {
  agent: Agent;
  key: CryptoKey | Uint8Array;
}

interface Verified {
  agent: Agent;
  /** milliseconds since 1970 */
  until: number;
}

/**
 * Recognises agents by the tokens that they sign: EdDSA with the key that the node has enrolled, `sub` the node's id,
 * valid for a minute at most. A token is verified once, by a key that is read once. Whether the node still has that key is
 * asked by the statement that does what the agent wants: a key that is revoked counts no more from then on.
 */
export function agentAuthorizer(database: Database, now: () => Date): Authorizer<Agent> {
  const nodes = leastRecentlyUsed<NodeId, Known>(mostRemembered);
  const tokens = leastRecentlyUsed<string, Verified>(mostRemembered);

  async function recognise(token: string): Promise<Verified> {
    const id = idOf<NodeId>(subjectOf(token));
    const remembered = nodes.get(id);
    const until = remembered && (await verify(token, remembered.key, now()));
    if (remembered && until !== undefined) return { agent: remembered.agent, until };
    // its agent may have enrolled with another key since
    const known = await readNode(database, id);
    const untilThen = await verify(token, known.key, now());
    if (untilThen === undefined) throw unknownAgent();
    nodes.set(id, known);
    return { agent: known.agent, until: untilThen };
  }

  return async (request, declaration) => {
    if (declaration.kind === 'public') return anonymous;
    const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined) throw unknownAgent();
    const name = hash('sha256', token, 'base64');
    const known = tokens.get(name);
    if (known && now().getTime() < known.until) return known.agent;
    const fresh = await recognise(token);
    tokens.set(name, fresh);
    return fresh.agent;
  };
}

async function readNode(database: Database, id: NodeId): Promise<Known> {
  const node = await findNode(database, id);
  if (!node?.public_key) throw unknownAgent();
  const agent = { nodeId: node.id, deploymentId: node.deployment_id, key: node.public_key.x };
  return { agent, key: await importJWK(node.public_key, 'EdDSA') };
}

/** The node that the token claims to be of; nothing is proven by that. */
function subjectOf(token: string): number {
  try {
    const subject = Number(decodeJwt(token).sub);
    if (Number.isSafeInteger(subject)) return subject;
  } catch (error) {
    if (!(error instanceof JOSEError)) throw error;
  }
  throw unknownAgent();
}

/** @returns until when it is valid, in milliseconds since 1970; undefined when it is not */
async function verify(token: string, key: Known['key'], now: Date): Promise<number | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      audience,
      requiredClaims: ['sub', 'aud', 'exp'],
      clockTolerance: toleranceSeconds,
      currentDate: now,
    });
    const expiry = payload.exp ?? Infinity;
    if (expiry - now.getTime() / 1000 > longestSeconds + toleranceSeconds) return undefined;
    return (expiry + toleranceSeconds) * 1000;
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/** Who calls is no node's agent, or not any more. */
export const unknownAgent = (): Problem =>
  problem('unauthenticated', {
    detail: 'The agent token is missing or not valid, or the node has been removed, or its key revoked.',
  });
