import { setTimeout as pauseFor } from 'node:timers/promises';
import { system, type Log, type Notifications, type UnitOfWork, untilAborted } from '@sluice/service-kit';
import { pauseAfter } from '@sluice/system';
import { channels } from '../../database/signals.ts';
import type { Database, Transaction } from '../../database/tables.ts';
import type { DriverCall } from '../../compute/compute-driver.ts';
import { linkMoments, type LinkState, type LinkStatus, type WantedLink } from '../../database/links.ts';
import { LinkRefused, type LinkDriver } from '../../network/network-driver.ts';
import { describe } from '../../reconciler/failures.ts';
import { storeConnections } from '../../stores/attachment-connections.store.ts';
import { findDeployment, findLocked, type Deployment } from '../../stores/deployments.store.ts';
import {
  isLinkHeld,
  markLinkForDeletion,
  recordLook,
  takeDueLinks,
  type LeasedLink,
  type LookedAt,
} from '../../stores/network-links.store.ts';
import { listNodes } from '../../stores/nodes.store.ts';
import { scheduleNow } from '../../stores/reconciliations.store.ts';
import { linkedDeployment } from './linked-deployment.ts';
import { tellChange } from './links.service.ts';

export interface LinkKeeperOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  notifications: Notifications;
  driver: LinkDriver;
  /** for how long the driver may work on a link at a time */
  callSeconds: number;
  now: () => Date;
  log: Log;
}

/** links that a replica works on at the same time */
const slots = 8;
const pollMilliseconds = 1_000;
/** so many times as long as a call may take is a lease, so that nobody takes a link over that is worked on */
const leaseMargin = 1.25;
/** days after which a request that nobody has answered ends (interface, 3) */
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
 * @returns ends it
 */
export async function keepLinks(options: LinkKeeperOptions): Promise<() => Promise<void>> {
  const { database, notifications, callSeconds, log } = options;
  const ended = new AbortController();
  const running = new Set<Promise<void>>();
  let woken = new AbortController();
  /** whether there may be more due than were taken */
  let more = false;
  const wake = () => woken.abort();

  async function takeUp(): Promise<void> {
    const limit = slots - running.size;
    if (limit <= 0) return;
    const lease = { limit, seconds: callSeconds * leaseMargin + 1, answerDays };
    const taken = await takeDueLinks(database, lease);
    more = taken.length === limit;
    for (const link of taken) {
      const work = workOn(options, link, ended.signal)
        .then((seconds) => seconds < pollMilliseconds / 1_000 && setTimeout(wake, seconds * 1_000).unref())
        .catch((error: unknown) => log.warn('a link could not be looked at', { link: link.id, error }))
        .then(() => {
          running.delete(work);
          if (more) wake();
        });
      running.add(work);
    }
  }

  async function takeUpAgainAndAgain(): Promise<void> {
    while (!ended.signal.aborted) {
      woken = new AbortController();
      await takeUp().catch((error: unknown) => log.warn('links that are due could not be read', { error }));
      const signal = AbortSignal.any([woken.signal, ended.signal]);
      await pauseFor(pollMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  }

  await notifications.listen(channels.links, wake);
  const taking = takeUpAgainAndAgain();
  return async () => {
    ended.abort();
    await taking;
    await Promise.all(running);
  };
}

/** Looks at a link once, and stores how it is. @returns seconds until the next look */
async function workOn(options: LinkKeeperOptions, found: LeasedLink, stopping: AbortSignal): Promise<number> {
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
  const status: LinkStatus = linkMoments[link.kind].leaving ?? link.status;
  await markLinkForDeletion(db, link, deleted_by, { status });
  return { ...link, deleted_by, status } as LeasedLink;
}

async function lookAt(
  options: LinkKeeperOptions,
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
    return { status: linkMoments[link.kind].gone, reason, seconds: restSeconds, failures: 0, gone };
  }
  if (isOver(link.status))
    return { status: link.status, reason, seconds: restSeconds, failures: 0, gone: false };
  const state = await call(options, link, stopping, (about) => driver.advance(wanted, about));
  // not before it was looked at: it may have been answered while no supervisor was there
  if (link.unanswered && (state.status === 'pending_acceptance' || state.status === 'deleted')) {
    const gone = await call(options, link, stopping, (about) => driver.remove(wanted, about));
    const status = gone ? 'expired' : link.status;
    return { status, reason: null, seconds: gone ? restSeconds : 1, failures: 0, gone: false };
  }
  const { status, facts, connections, lookAgainSeconds: seconds } = state;
  const leaving: LinkStatus | undefined = linkMoments[link.kind].leaving;
  if (status === 'deleted' && leaving !== undefined) {
    const withdrawn = { status: leaving, reason: 'the other side has deleted it', withdrawn: true };
    return { ...withdrawn, seconds: 0, failures: 0, gone: false };
  }
  const known = { status, facts, reason: state.reason ?? null };
  return { ...known, ...(connections && { connections }), seconds, failures: 0, gone: false };
}

const isOver = (status: LinkStatus) => ['rejected', 'expired', 'failed'].includes(status);

/** What the driver could not do is tried again in growing pauses; what the cloud refuses, only where the link has no word for that. */
function failureOf({ kind, status, failures }: LeasedLink, error: unknown): Look {
  const { failed } = linkMoments[kind];
  const reason = describe(error);
  const pause = { reason, failures: Math.min(failures + 1, 30), gone: false };
  if (error instanceof LinkRefused && failed !== undefined)
    return { ...pause, status: failed, seconds: restSeconds };
  return { ...pause, status, seconds: (pauseAfter(failures, pauses) / 1_000) * (0.8 + 0.4 * Math.random()) };
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
  { database, callSeconds }: LinkKeeperOptions,
  link: LeasedLink,
  stopping: AbortSignal,
  work: (call: DriverCall) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const late = new Error(`the cloud did not answer within ${callSeconds} s`);
  const timer = setTimeout(() => limit.abort(late), callSeconds * 1_000);
  const signal = AbortSignal.any([limit.signal, stopping]);
  const confirm = async () => {
    signal.throwIfAborted();
    if (!(await isLinkHeld(database, link))) throw new Error('another replica has taken the link over');
    signal.throwIfAborted();
  };
  return await untilAborted(work({ fence: link.fence, signal, confirm }), signal).finally(() =>
    clearTimeout(timer),
  );
}
