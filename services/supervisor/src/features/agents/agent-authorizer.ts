import { type DeploymentId, type NodeId, idOf } from '@sluice/contracts';
import { problem, type Authorizer } from '@sluice/service-kit';
import { decodeJwt, errors, importJWK, jwtVerify } from 'jose';
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

/**
 * Recognises agents by the tokens that they sign: EdDSA with the key that the node has enrolled, `sub` the node's id,
 * valid for a minute at most.
 */
export function agentAuthorizer(database: Database, now: () => Date): Authorizer<Agent> {
  return async (request, declaration) => {
    if (declaration.kind === 'public') return nobody;
    const [, token] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.get('authorization') ?? '') ?? [];
    if (token === undefined) throw unauthenticated();
    const node = await findNode(database, idOf<NodeId>(subjectOf(token)));
    if (!node?.public_key) throw unauthenticated();
    await verify(token, node.public_key, now());
    return { nodeId: node.id, deploymentId: node.deployment_id, key: node.public_key.x };
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
  throw unauthenticated();
}

async function verify(token: string, key: { kty: string; crv: string; x: string }, now: Date): Promise<void> {
  try {
    const { payload } = await jwtVerify(token, await importJWK(key, 'EdDSA'), {
      algorithms: ['EdDSA'],
      audience,
      requiredClaims: ['sub', 'aud', 'exp'],
      clockTolerance: toleranceSeconds,
      currentDate: now,
    });
    const seconds = (payload.exp ?? Infinity) - now.getTime() / 1000;
    if (seconds > longestSeconds + toleranceSeconds) throw unauthenticated();
  } catch (error) {
    throw error instanceof errors.JOSEError ? unauthenticated() : error;
  }
}

function unauthenticated() {
  return problem('unauthenticated', { detail: 'The agent token is missing or not valid.' });
}
