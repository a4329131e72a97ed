import type { Log } from '@sluice/system/log';
import { isRefused, refusalOf, type Connection } from './connection.ts';

/** what the policy says of a namespace that is none of the supervisor's */
const denial = 'a supervisor works in the namespaces of its own deployments alone';
/** an answer holds for so long, milliseconds */
const holdsFor = { inForce: 60_000, missing: 5_000 };

class PolicyMissing extends Error {
  constructor() {
    super(
      'the cluster does not enforce the admission policy sluice-supervisors (k8s/overlays/cluster): nothing is changed in it',
    );
  }
}

/**
 * Changes nothing in a cluster that would let the supervisor change what is not its own: the rights of RBAC say nothing of names. What is
 * refused is tried out, with a namespace that no deployment has, in a dry run.
 */
export function underPolicy(connection: Connection, owner: string, log: Log): Connection {
  let known: { look: Promise<boolean>; until: number } | undefined;

  async function isInForce(): Promise<boolean> {
    const metadata = { name: `${owner}-not-its-own` };
    try {
      await connection.send({
        ...{ method: 'POST', path: '/api/v1/namespaces', query: { dryRun: 'All' } },
        body: { apiVersion: 'v1', kind: 'Namespace', metadata },
        what: 'a namespace that is not to be made',
      });
    } catch (error) {
      // rights that do not even let it make its own namespaces are narrow enough
      if (isRefused(error, 403) || refusalOf(error).includes(denial)) return true;
      if (!isRefused(error, 409)) throw error;
    }
    log.error('the cluster does not enforce the admission policy of supervisors', { owner });
    return false;
  }

  async function requirePolicy(): Promise<void> {
    if (!known || performance.now() >= known.until) {
      const looked = { look: isInForce(), until: performance.now() + holdsFor.inForce };
      known = looked;
      looked.look.then(
        (inForce) => void (inForce || (looked.until = performance.now() + holdsFor.missing)),
        // the next change asks again
        () => void (known === looked && (known = undefined)),
      );
    }
    if (!(await known.look)) throw new PolicyMissing();
  }

  return {
    open: (request, signal) => connection.open(request, signal),
    async send(request) {
      if (request.method !== 'GET' && !request.isLook) await requirePolicy();
      return await connection.send(request);
    },
  };
}
