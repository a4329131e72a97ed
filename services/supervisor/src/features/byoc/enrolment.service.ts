import { createReadStream } from 'node:fs';
import type { Caller } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import type { UnitOfWork } from '@sluice/messaging';
import { problem } from '@sluice/service';
import { enrolmentCommand, enrolmentScript, type Programs } from '@sluice/driver-machines';
import { newToken, tokenHash, tokenSeconds, type AgentSettings } from '@sluice/drivers';
import { requireLive } from '../deployment-rules.ts';
import type { Transaction } from '@sluice/region-store/tables';
import type { components, operations } from '../../generated/api.ts';
import {
  type Deployment,
  lockDeployment,
  nameAndCode,
  subjectsOf,
} from '@sluice/region-store/deployments.store';
import { requireNode } from '@sluice/region-store/nodes.store';
import { offerToken } from '@sluice/region-store/enrolments.store';

type NodePath = ParamsOf<operations['createNodeEnrolment']>;

export interface EnrolmentOptions {
  work: UnitOfWork<Transaction>;
  place: AgentSettings;
  programs: () => Promise<Programs>;
  now: () => Date;
}

export type EnrolmentService = ReturnType<typeof enrolmentService>;

/** @throws Problem `not_found`, `state_conflict` where no machine of a customer can become the node */
async function lockForMachines(
  { db }: Transaction,
  { deployment_id, node_id }: NodePath,
): Promise<Deployment> {
  const deployment = await lockDeployment(db, deployment_id);
  await requireNode(db, deployment_id, node_id);
  if (deployment.byoc_driver !== 'enrol')
    throw problem('state_conflict', { detail: 'The nodes of this deployment are made by the region.' });
  requireLive(deployment);
  return deployment;
}

/** How machines of customers become nodes. */
export function enrolmentService({ work, place, programs, now }: EnrolmentOptions) {
  return {
    /** Makes a new one-time command; the one before is void. @throws Problem `not_found`, `state_conflict` */
    async issue(caller: Caller, path: NodePath): Promise<components['schemas']['NodeEnrolment']> {
      const { deployment_id, node_id } = path;
      // who will be refused does not wait for the archive
      await work(caller, (tx) => lockForMachines(tx, path));
      // takes some seconds the first time, in which nothing may be locked
      const made = await programs();
      const script = await enrolmentScript(place, made);
      const token = newToken();
      const expiresAt = new Date(now().getTime() + tokenSeconds * 1000);
      const isPrivate = await work(caller, async (tx) => {
        const deployment = await lockForMachines(tx, path);
        const offer = { hash: tokenHash(token), expiresAt };
        const name = await offerToken(tx.db, { deploymentId: deployment_id, nodeId: node_id }, offer);
        tx.emit('node_enrolment_issued', subjectsOf(deployment), {
          ...nameAndCode(deployment),
          node: { id: node_id, name },
          expires_at: expiresAt.toISOString(),
        });
        return !deployment.spec.public_ip_enabled;
      });
      return {
        command: enrolmentCommand(place, script, { id: node_id, token, isPrivate }),
        platform: made.platform,
        checksum: made.digest,
        expires_at: expiresAt.toISOString(),
      };
    },

    async script(): Promise<string> {
      return await enrolmentScript(place, await programs());
    },

    /** @throws Problem `not_found` for any other archive than the one that there is */
    async archive(digest: string): Promise<{ size: number; content: AsyncIterable<Uint8Array> }> {
      const { path, size, digest: is } = await programs();
      if (digest !== is) throw problem('not_found');
      return { size, content: createReadStream(path, { highWaterMark: 256 * 1024 }) };
    },
  };
}
