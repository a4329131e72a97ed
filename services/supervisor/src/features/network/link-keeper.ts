import { callFenced, WorkQueue } from '@sluice/controller';
import type { UnitOfWork } from '@sluice/messaging';
import { system, type Log, type Notifications } from '@sluice/service';
import { jittered, pauseAfter } from '@sluice/system';
import type { Registry } from '@prometheus-io/client';
import { channels } from '@sluice/region-store/signals';
import type { Database, Transaction } from '@sluice/region-store/tables';
import {
  endedStatuses,
  linkForms,
  LinkRefused,
  type DriverCall,
  type LinkDriver,
  type LinkState,
  type LinkStatus,
  type WantedLink,
} from '@sluice/drivers';
import { describeError } from '@sluice/region-store/describe-error';
import { storeConnections } from './attachment-connections.store.ts';
import { findDeployment, findLocked, type Deployment } from '@sluice/region-store/deployments.store';
import {
  isLinkHeld,
  markLinkForDeletion,
  recordLook,
  leaseDueLinks,
  type LeasedLink,
  type LookedAt,
} from '@sluice/region-store/network-links.store';
import { listNodes } from '@sluice/region-store/nodes.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { linkedDeployment } from './linked-deployment.ts';
import { tellChange } from './links.service.ts';

export interface LinkQueueOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  notifications: Notifications;
  driver: LinkDriver;
  /** for how long the driver may work on a link at a time */
  callSeconds: number;
  now: () => Date;
  metrics: Registry;
  log: Log;
}

/** links that a replica works on at the same time */
const slots = 8;
/** a lease is so many times as long as a call may take, so that no replica takes over a link that is worked on */
const leaseMargin = 1.25;
/** days after which an unanswered request ends (interface, 3) */
const answerDays = 7;
const pauses = { first: 500, cap: 120_000 };
/** how often what has come to an end, one way or the other, is looked at: nothing is expected of it */
const restSeconds = 3_600;

/** What came of a look at a link. */
interface Look extends LookedAt, Pick<LinkState, 'connections'> {
  /** whether the other side has deleted it: what there is of it on this side goes as well */
  withdrawn?: boolean;
}

/**
 * Brings links about and takes them away, and sees how they are: each is worked on under a lease with a fence, as deployments are, but by
 * itself, so that a cloud that does not answer holds up no deployment.
 */
export function linkQueue(options: LinkQueueOptions) {
  const { database, notifications, callSeconds, metrics, log } = options;
  const leaseSeconds = callSeconds * leaseMargin + 1;
  return new WorkQueue<LeasedLink & { key: number }, LeasedLink>({
    name: 'links',
    source: {
      leaseDue: async ({ all }) => {
        const leased = await leaseDueLinks(database, { limit: all, seconds: leaseSeconds, answerDays });
        return leased.map((link) => ({ ...link, key: link.id }));
      },
    },
    lanes: { size: slots, slow: slots },
    leaseSeconds,
    run: (link, { signal }) => workOn(options, link, signal),
    pollSeconds: 1,
    listen: (wake) => notifications.listen(channels.links, wake),
    metrics,
    log,
  });
}

/** Looks at a link once, and stores how it is. @returns seconds until the next look */
async function workOn(options: LinkQueueOptions, found: LeasedLink, stopping: AbortSignal): Promise<number> {
  const { database, work, now, log } = options;
  const deployment = await findDeployment(database, found.deployment_id);
  const link = await leavingWith(database, found, deployment);
  const look = await lookAt(options, link, deployment, stopping).catch((error: unknown) => {
    if (stopping.aborted) return undefined;
    if (!(error instanceof LinkRefused))
      log.warn('a step of a link failed; it will be tried again', { link: link.id, kind: link.kind, error });
    return failureOf(link, error);
  });
  // the lease ends by itself: what was begun may not have come to its end yet
  if (!look) return Infinity;
  return await work({ cause: system.cause }, async (tx) => {
    const locked = await findLocked(tx.db, link.deployment_id);
    if (!(await recordLook(tx.db, link, look))) return 0;
    if (look.connections) await storeConnections(tx.db, link.id, look.connections);
    if (locked && look.status !== link.status) tellChange(tx, locked, link, look);
    // the deployment waits for its links to go
    if (locked?.deleted_by && look.gone) await scheduleNow(tx.db, locked.id, now());
    if (look.withdrawn === true) await markLinkForDeletion(tx.db, link, { ...system.cause }, look);
    return look.seconds;
  });
}

/** A link whose deployment is gone, or goes, goes as well. */
async function leavingWith(
  db: Database,
  link: LeasedLink,
  deployment: Deployment | undefined,
): Promise<LeasedLink> {
  if (link.deleted_by !== null || (deployment && !deployment.deleted_by)) return link;
  const deleted_by = deployment?.deleted_by ?? { ...system.cause };
  const status: LinkStatus = linkForms[link.kind].leaving ?? link.status;
  await markLinkForDeletion(db, link, deleted_by, { status });
  return { ...link, deleted_by, status } as LeasedLink;
}

async function lookAt(
  options: LinkQueueOptions,
  link: LeasedLink,
  deployment: Deployment | undefined,
  stopping: AbortSignal,
): Promise<Look> {
  const { driver } = options;
  const wanted = await wantedOf(options.database, link, deployment);
  const reason = link.status_reason;
  if (link.deleted_by !== null) {
    const gone = await call(options, link, stopping, (about) => driver.remove(wanted, about));
    if (!gone) return { status: link.status, reason, seconds: 1, failures: 0, gone };
    return { status: linkForms[link.kind].gone, reason, seconds: restSeconds, failures: 0, gone };
  }
  if (endedStatuses.includes(link.status) && link.status !== linkForms[link.kind].gone)
    return { status: link.status, reason, seconds: restSeconds, failures: 0, gone: false };
  const state = await call(options, link, stopping, (about) => driver.advance(wanted, about));
  // not before it was looked at: it may have been answered while no supervisor was there
  if (link.unanswered && (state.status === 'pending_acceptance' || state.status === 'deleted')) {
    const gone = await call(options, link, stopping, (about) => driver.remove(wanted, about));
    const status = gone ? 'expired' : link.status;
    return { status, reason: null, seconds: gone ? restSeconds : 1, failures: 0, gone: false };
  }
  const { status, facts, connections, lookAgainSeconds: seconds } = state;
  const leaving: LinkStatus | undefined = linkForms[link.kind].leaving;
  if (status === 'deleted' && leaving !== undefined) {
    const withdrawn = { status: leaving, reason: 'the other side has deleted it', withdrawn: true };
    return { ...withdrawn, seconds: 0, failures: 0, gone: false };
  }
  const known = { status, facts, reason: state.reason ?? null };
  return { ...known, ...(connections && { connections }), seconds, failures: 0, gone: false };
}

/** What the driver could not do is tried again in growing pauses; what the cloud refuses, only where the link has no word for that. */
function failureOf({ kind, status, failures }: LeasedLink, error: unknown): Look {
  const { failed } = linkForms[kind];
  const reason = describeError(error);
  const pause = { reason, failures: Math.min(failures + 1, 30), gone: false };
  if (error instanceof LinkRefused && failed !== undefined)
    return { ...pause, status: failed, seconds: restSeconds };
  return { ...pause, status, seconds: jittered(pauseAfter(failures, pauses) / 1_000) };
}

async function wantedOf(
  db: Database,
  link: LeasedLink,
  deployment: Deployment | undefined,
): Promise<WantedLink> {
  const { id, uid, kind, wanted, facts, status, deployment_id } = link;
  const about = deployment
    ? linkedDeployment(deployment, await listNodes(db, deployment_id))
    : { id: deployment_id, uid: null, subnet: null, brokers: [] };
  return { id, uid, kind, wanted, facts, status, deployment: about } as WantedLink;
}

/** Calls the driver within its limit of time; one that does not answer is not waited for. */
async function call<T>(
  { database, callSeconds }: LinkQueueOptions,
  link: LeasedLink,
  signal: AbortSignal,
  work: (call: DriverCall) => Promise<T>,
): Promise<T> {
  return await callFenced(
    {
      ...{ seconds: callSeconds, signal, fence: link.fence },
      late: `the cloud did not answer within ${callSeconds} s`,
      isHeld: () => isLinkHeld(database, link),
    },
    work,
  );
}
