import type { SecretBox } from '@sluice/system/secrets';
import { createKey, renewalIdOf, requestCertificate } from '@sluice/system/authority';
import type { AcmeTables, Database } from './tables.ts';
import {
  claimPlacing,
  deleteOrder,
  findOrder,
  insertOrder,
  updateOrder,
  type AcmeOrder,
} from './acme-orders.store.ts';
import { markUnneeded } from './acme-records.store.ts';
import {
  HeldBack,
  withTables,
  type CertificateDriver,
  type CertificateRequest,
  type CertificateUnderWay,
  type IssuedCertificate,
} from '@sluice/drivers';
import type { Account } from './account.ts';
import { findRoot, readChain, type Chain } from './chain.ts';
import type { ChallengeRecords } from './challenge-records.ts';
import {
  findOrderOf,
  openChallenges,
  readAuthorizations,
  readOrder,
  whyInvalid,
  type Order,
} from './orders.ts';
import { AcmeProblem } from './problem.ts';
import { linkSchema, parsed, type AcmeAnswer, type AcmeProtocol } from './protocol.ts';
import { askRenewal } from './renewal.ts';

export interface AcmeDriverOptions {
  database: Database;
  secrets: SecretBox;
  directoryUrl: string;
  protocol: AcmeProtocol;
  account: (signal: AbortSignal) => Promise<Account>;
  records: ChallengeRecords;
  /** PEM, roots that clients may have to trust besides the well-known ones */
  roots: readonly string[];
  now: () => Date;
}

type Call = Parameters<CertificateDriver['issue']>[1];
interface Work {
  request: CertificateRequest;
  account: Account;
  kept: AcmeOrder;
  isNew: boolean;
  call: Call;
}

/** an authority that has not made up its mind for so long is a failure, of which people hear */
const patienceSeconds = 60 * 60;
/** how soon it is asked again, at least and at most, where it does not say */
const pauses = { least: 0.5, most: 15 };
const mostRetryAfter = 3_600;
/** longer than all requests together by which an order is placed */
const placingSeconds = 60;
/** what authorities say that cannot make out the certificate that is to be replaced, or have replaced it */
const refusesFormer: ReadonlySet<string> = new Set([
  ...['alreadyReplaced', 'malformed', 'unauthorized', 'serverInternal'],
]);

/**
 * Has certificates made by a public authority (RFC 8555), each name proven by a DNS record. A call takes the order as far as it goes
 * without waiting. The order is kept until its certificate is stored, so that whichever replica comes next goes on with it: authorities
 * count orders.
 */
export function createAcmeDriver(options: AcmeDriverOptions): CertificateDriver {
  const { database, secrets, directoryUrl, protocol, records, now } = options;

  return {
    namesOnly: true,

    async issue(request, call) {
      try {
        const account = await options.account(call.signal);
        const work = { request, account, call, ...(await takeUp(request)) };
        const order = await placed(work);
        return order ? await advance(work, order) : { waitingFor: 'its order to be taken', seconds: 2 };
      } catch (error) {
        throw held(error, now());
      }
    },
    renewal: (certificate, signal) => askRenewal(protocol, certificate, signal),
  };

  /** The order that was begun for these names, or a new one with a key of its own. */
  async function takeUp({ deploymentId, names }: CertificateRequest): Promise<Pick<Work, 'kept' | 'isNew'>> {
    const found = await findOrder(database, deploymentId);
    const wanted = names.map((name) => name.toLowerCase()).sort();
    if (found?.directory_url === directoryUrl && found.names.join() === wanted.join())
      return { kept: found, isNew: false };
    if (found) await drop(found);
    const sealed_key = await secrets.seal(await createKey());
    const kept = await insertOrder(database, {
      ...{ deployment_id: deploymentId, directory_url: directoryUrl, names: wanted, sealed_key },
      ...{ url: null, begun_at: now(), told_at: null, placing_since: null },
    });
    if (!kept) throw new Error('the order of the certificate is gone');
    return { kept, isNew: kept.sealed_key === sealed_key };
  }

  /** The order as the authority has it, placed if it was not; undefined while another replica may be placing it. */
  async function placed(work: Work): Promise<Order | undefined> {
    const { account, kept, call } = work;
    const { signal } = call;
    if (kept.url !== null) {
      const { url } = kept;
      const answer = await account.post(url, null, { signal }).catch(async (error: unknown) => {
        if (isUnknown(error)) await drop(kept);
        throw error;
      });
      return readOrder(url, answer);
    }
    if (!(await claimPlacing(database, kept, placingSeconds))) return undefined;
    try {
      return await findOrPlace(work);
    } catch (error) {
      // one that was given up may yet arrive
      if (!signal.aborted) await updateOrder(database, kept, { placing_since: null });
      throw error;
    }
  }

  async function findOrPlace(work: Work): Promise<Order> {
    const { account, kept, isNew, call } = work;
    // the answer to an order may have been lost
    const lost = isNew ? undefined : await findOrderOf(account, kept.names, call.signal);
    const { url, answer } =
      lost === undefined
        ? await place(work)
        : { url: lost, answer: await account.post(lost, null, { signal: call.signal }) };
    await updateOrder(database, kept, { url, placing_since: null });
    return readOrder(url, answer);
  }

  /** Orders, in the place of the certificate before where the authority wants to know that: it counts such orders less. */
  async function place({ request, account, kept, call }: Work): Promise<{ url: string; answer: AcmeAnswer }> {
    const { signal } = call;
    const { newOrder, renewalInfo } = await protocol.directory(signal);
    const former = renewalInfo !== undefined && request.former !== undefined && renewalIdOf(request.former);
    const order = { identifiers: kept.names.map((value) => ({ type: 'dns', value })) };
    const post = async (payload: object) => {
      await call.confirm();
      return await account.post(newOrder, payload, { signal });
    };
    const answer = !former
      ? await post(order)
      : await post({ ...order, replaces: former }).catch((error: unknown) => {
          if (error instanceof AcmeProblem && refusesFormer.has(error.type)) return post(order);
          throw error;
        });
    return { url: parsed(linkSchema, answer.location), answer };
  }

  async function advance(work: Work, order: Order): Promise<IssuedCertificate | CertificateUnderWay> {
    switch (order.status) {
      case 'pending':
        return await prove(work, order);
      case 'ready':
        return await finalize(work, order);
      case 'processing':
        return waiting(work, 'the authority to issue it', order.retryAfterSeconds);
      case 'valid':
        return await collect(work, order);
      case 'invalid': {
        const authorizations = await readAuthorizations(work.account, order, work.call.signal);
        return await giveUp(work.kept, whyInvalid(order, authorizations));
      }
    }
  }

  async function prove(work: Work, order: Order): Promise<CertificateUnderWay> {
    const { request, account, kept, call } = work;
    const authorizations = await readAuthorizations(account, order, call.signal);
    if (authorizations.some(({ status }) => status !== 'pending' && status !== 'valid'))
      return await giveUp(kept, whyInvalid(order, authorizations));
    const open = await openChallenges(account, authorizations, kept.names);
    if (kept.told_at !== null || open.length === 0) {
      const [retryAfter] = authorizations.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
      return waiting(work, 'the authority to look at its DNS records', retryAfter);
    }
    const lacking = await records.present(
      request.deploymentId,
      open.map(({ record }) => record),
      call.signal,
    );
    if (lacking) return lacking;
    await call.confirm();
    for (const { url } of open) await account.post(url, {}, { signal: call.signal });
    await updateOrder(database, kept, { told_at: now() });
    return { waitingFor: 'the authority to look at its DNS records', seconds: pauses.least };
  }

  async function finalize(work: Work, order: Order): Promise<IssuedCertificate | CertificateUnderWay> {
    const { request, account, kept, call } = work;
    await markUnneeded(database, request.deploymentId, now());
    const csr = await requestCertificate(await secrets.open(kept.sealed_key), kept.names);
    await call.confirm();
    const payload = { csr: csr.toString('base64url') };
    const answer = await account.post(order.finalize, payload, { signal: call.signal });
    const next = readOrder(order.url, answer);
    if (next.status === 'valid') return await collect(work, next);
    return { waitingFor: 'the authority to issue it', seconds: pauseOf(0, next.retryAfterSeconds) };
  }

  async function collect(
    { request, account, kept, call }: Work,
    order: Order,
  ): Promise<IssuedCertificate | CertificateUnderWay> {
    await markUnneeded(database, request.deploymentId, now());
    if (order.certificate === undefined) return await giveUp(kept, 'the authority does not say where it is');
    const accept = 'application/pem-certificate-chain';
    const { text } = await account.post(order.certificate, null, { signal: call.signal, accept });
    const private_key = await secrets.open(kept.sealed_key);
    let chain: Chain;
    try {
      chain = readChain(text, private_key, request.names, now());
    } catch (error) {
      return await giveUp(kept, error instanceof Error ? error.message : String(error));
    }
    if (isAged(chain, now())) return await giveUp(kept, 'the certificate of an earlier order has aged');
    const authority = findRoot(chain, options.roots);
    return {
      ...{ certificate: chain.certificate, private_key, authority },
      tellsRenewal: (await protocol.directory(call.signal)).renewalInfo !== undefined,
      onStored: (tx) => deleteOrder(withTables<AcmeTables>(tx), kept),
    };
  }

  function waiting({ kept }: Work, waitingFor: string, retryAfter: number | undefined): CertificateUnderWay {
    const seconds = (now().getTime() - (kept.told_at ?? kept.begun_at).getTime()) / 1_000;
    if (seconds > patienceSeconds) throw new Error(`it has waited for an hour for ${waitingFor}`);
    return { waitingFor, seconds: pauseOf(seconds, retryAfter) };
  }

  /** Nothing comes of the order: the next call begins another. */
  async function giveUp(kept: AcmeOrder, reason: string): Promise<never> {
    await drop(kept);
    throw new Error(reason);
  }

  async function drop(kept: AcmeOrder): Promise<void> {
    await database.transaction().execute(async (tx) => {
      await markUnneeded(tx, kept.deployment_id, now());
      await deleteOrder(tx, kept);
    });
  }
}

/** Whether so much of its life has passed that another is due soon. */
function isAged({ leaf }: Chain, now: Date): boolean {
  const [from, to] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()];
  return now.getTime() > (from + to) / 2;
}

/** Longer the longer it has taken already. */
function pauseOf(passedSeconds: number, retryAfter: number | undefined): number {
  const own = Math.min(pauses.most, passedSeconds / 2);
  return Math.max(pauses.least, Math.min(mostRetryAfter, retryAfter ?? own));
}

/** Whether the authority has no such order any more, or not for this account. */
function isUnknown(error: unknown): boolean {
  return error instanceof AcmeProblem && (error.status === 404 || error.status === 403);
}

/** An authority that limits requests says when the next is allowed. */
function held(error: unknown, now: Date): unknown {
  const { retryAfterSeconds } = error instanceof AcmeProblem ? error : {};
  if (!(error instanceof Error) || retryAfterSeconds === undefined) return error;
  const until = new Date(now.getTime() + retryAfterSeconds * 1_000);
  return new HeldBack(
    `${error.message}; it is asked again after ${until.toISOString().slice(0, 19)}Z`,
    until,
  );
}
