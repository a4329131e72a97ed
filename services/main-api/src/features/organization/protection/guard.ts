import { problems, seesDivision, seesEnvironment, type Ref } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { Problem, problem, type Origin, type ProblemExtras } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { codeLifeSeconds } from '../../../protection-codes.ts';
import { findProtectedDeployment, type Container } from '@sluice/main-store/deployments.store';
import { findProtectedDivision } from '@sluice/main-store/divisions.store';
import { findProtectedEnvironment } from '@sluice/main-store/environments.store';
import {
  readCodes,
  spendCode,
  storeWrongCodes,
  type CodeRecord,
  type Protected,
} from '@sluice/main-store/protection-codes.store';

const wrongCodesAllowed = 5;
const wrongCodesCountSeconds = 10 * 60;
const lockSeconds = 10 * 60;

/** Refuses to lower the protection of a resource to everybody but the tenant's owner (interface, section 3). */
export function requireMayProtect(
  caller: Caller,
  resource: { protected: boolean },
  wanted: boolean | null | undefined,
): void {
  if (resource.protected && wanted === false && !caller.owner) throw problem('owner_only');
}

/**
 * Runs a deletion that may need a code, as `work` does. A wrong code is counted although it refuses the deletion: the
 * count is all that `change` has written by then, and it is committed with the lock on the tenant still held, so that
 * guesses are counted one by one however many replicas they come to.
 */
export async function deletion<T>(
  { work }: Pick<Core, 'work'>,
  origin: Origin,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const outcome = await work(origin, async (tx) => {
    try {
      return { refused: false as const, result: await change(tx) };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'protection_code_invalid') throw error;
      return { refused: true as const, refusal: error };
    }
  });
  if (outcome.refused) throw outcome.refusal;
  return outcome.result;
}

/**
 * Refuses to delete a protected resource without its one-time code, and uses the code up (interface, section 3). The
 * tenant is locked; nothing has been changed yet.
 * @throws Problem `protection_code_required`, `protection_code_invalid`, `protection_locked`
 */
export async function requireCode(
  tx: Transaction,
  { protectionCodes, now }: Pick<Core, 'protectionCodes' | 'now'>,
  what: Protected,
  resource: { protected: boolean },
  code: string | undefined,
): Promise<void> {
  if (!resource.protected) return;
  const record = await readCodes(tx, what);
  if (code === undefined)
    throw problem('protection_code_required', undelivered(record, problems.protection_code_required.detail));
  refuseWhileLocked(record, now());
  const { issued_at } = record;
  const isRight =
    issued_at !== null &&
    secondsSince(issued_at, now()) < codeLifeSeconds &&
    protectionCodes.isOf(what, issued_at, code);
  if (isRight && (await spendCode(tx, what, issued_at))) return;
  await storeWrongCodes(tx, what, withWrongCode(record, now()));
  throw problem('protection_code_invalid');
}

/**
 * Refuses to delete what something protected is in, to the owner as well (interface, section 3).
 * @throws Problem `contains_protected`, naming the outermost as far as the caller may see it
 */
export async function requireNothingProtected(
  tx: Transaction,
  { permissions }: Caller,
  where: Container,
): Promise<void> {
  const refuse = (kind: string, { id, name }: Ref, isSeen: boolean): never => {
    const shown = isSeen ? { id, name } : { id };
    throw problem('contains_protected', {
      detail: `The ${kind} ${isSeen ? `'${name}'` : id} in it is protected; lower its protection first.`,
      extensions: { contains: { kind, ...shown } },
    });
  };
  const division = 'tenant_id' in where ? await findProtectedDivision(tx, where.tenant_id) : null;
  if (division) refuse('division', division, seesDivision(permissions, division.id));
  const environment = 'environment_id' in where ? null : await findProtectedEnvironment(tx, where);
  if (environment)
    refuse('environment', environment, seesEnvironment(permissions, environment.division_id, environment.id));
  const deployment = await findProtectedDeployment(tx, where);
  if (!deployment) return;
  const { division_id, environment_id } = deployment;
  refuse('deployment', deployment, seesEnvironment(permissions, division_id, environment_id));
}

/** Adds to a refusal that, and why, the mail with the newest code has not arrived. */
export function undelivered({ issued_at, mail_failure }: CodeRecord, detail: string): ProblemExtras {
  if (issued_at === null || mail_failure === null) return { detail };
  return {
    detail: `${detail} The mail with the newest could not be delivered: ${mail_failure}.`,
    extensions: { mail_failure },
  };
}

/** @throws Problem `protection_locked`, with the time to wait */
export function refuseWhileLocked({ locked_until }: CodeRecord, now: Date): void {
  if (locked_until === null || locked_until <= now) return;
  throw problem('protection_locked', { headers: retryAfter(-secondsSince(locked_until, now)) });
}

function withWrongCode({ wrong_at }: CodeRecord, now: Date): Pick<CodeRecord, 'wrong_at' | 'locked_until'> {
  const counted = [...wrong_at.filter((at) => secondsSince(at, now) < wrongCodesCountSeconds), now];
  if (counted.length < wrongCodesAllowed) return { wrong_at: counted, locked_until: null };
  return { wrong_at: [], locked_until: new Date(now.getTime() + lockSeconds * 1000) };
}

export const secondsSince = (instant: Date, now: Date) => (now.getTime() - instant.getTime()) / 1000;

export const retryAfter = (seconds: number) => ({ 'retry-after': String(Math.ceil(seconds)) });
