import { createHash, hkdfSync } from 'node:crypto';
import type { Request, Response } from 'express';
import { JWEDecryptionFailed } from 'jose/errors';
import type pg from 'pg';
import {
  sqlOf,
  type PruningRule,
  type Sql,
  type IdempotentRequest,
  type Origin,
  Problem,
  problem,
} from '@sluice/service';
import type { Caller } from '@sluice/grants';
import { secretBox, type SecretBox } from '@sluice/system/secrets';
import type { Answer } from './typed.ts';

/** Runs a handler once per `Idempotency-Key`, and repeats its answer to those who come again. */
export type Idempotency = (
  request: Request,
  response: Response,
  caller: Caller,
  run: (caller: Caller) => Promise<Answer>,
) => Promise<Answer>;

interface Stored {
  fingerprint: string;
  committed: boolean;
  answer: string | null;
  abandoned: boolean;
}

/** An answer as it is kept: a problem is thrown again, anything else answered again. */
interface KeptAnswer extends Answer {
  problem?: { code: Problem['code']; extras: Problem['extras'] };
}

const retentionHours = 24;
/** longer than any request may commit (REQUEST_DEADLINE_SECONDS): one that has not ended by then was killed */
const abandonedSeconds = 70;

/**
 * The same key of an API key, or of a user's sessions, is one request for a day: its answer is replayed with `idempotent-replayed: true`. With another
 * request it is 409, and so it is while the first is running. Failures that are worth repeating (5xx, 429) and bad input
 * (400) are not kept. An answer can be read only with the token that asked for it: after a rotation, or in another session, it is 409, too.
 * A request whose process was killed runs again, unless its effect was committed: it is never had twice.
 */
export function idempotency(pool: pg.Pool): Idempotency {
  const sql = sqlOf(pool);
  return async (request, response, caller, run) => {
    const key = request.get('idempotency-key');
    const callerId = caller.apiKey?.id ?? (caller.session ? 0 - caller.user.id : undefined);
    if (key === undefined || !['POST', 'PUT'].includes(request.method) || callerId === undefined)
      return run(caller);
    if (key.length < 1 || key.length > 255) {
      const issue = {
        path: '/header/Idempotency-Key',
        code: 'too_long',
        message: 'has to have 1 to 255 characters',
      };
      throw problem('invalid_request', { fieldIssues: [issue] });
    }
    const idempotentRequest = { tenantId: caller.tenantId, callerId, key };
    const id = keyOf(idempotentRequest);
    const box = callerSecretBox(caller.session?.csrfToken ?? request.get('svc-api-key') ?? '');
    const fingerprint = fingerprintOf(request);
    const earlier = await claim(id, fingerprint);
    if (earlier) return replay(earlier, fingerprint, response, box);

    try {
      const answer = await run({ ...caller, idempotentRequest });
      await keep(id, await box.seal(JSON.stringify(answer)));
      return answer;
    } catch (error) {
      await keepProblem(id, error, box);
      throw error;
    }
  };

  /** Takes the key for this request. @returns what is stored when another request has it */
  async function claim(
    id: readonly [number, number, string],
    fingerprint: string,
  ): Promise<Stored | undefined> {
    await sql.query(
      `DELETE FROM idempotent_requests
       WHERE (tenant_id, api_key_id, key) = ($1, $2, $3)
         AND (created_at < now() - make_interval(hours => $4)
           OR (answer IS NULL AND NOT committed AND created_at < now() - make_interval(secs => $5)))`,
      [...id, retentionHours, abandonedSeconds],
    );
    const [claimed] = await sql.query(
      `INSERT INTO idempotent_requests (tenant_id, api_key_id, key, fingerprint) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [...id, fingerprint],
    );
    if (claimed) return undefined;
    const [stored] = await sql.query<Stored>(
      `SELECT fingerprint, committed, answer, created_at < now() - make_interval(secs => $4) AS abandoned
       FROM idempotent_requests WHERE (tenant_id, api_key_id, key) = ($1, $2, $3)`,
      [...id, abandonedSeconds],
    );
    // it has just been given up by a failure: the next attempt gets it
    return stored ?? { fingerprint, committed: false, answer: null, abandoned: false };
  }

  async function keep(id: readonly unknown[], sealed: string): Promise<void> {
    await sql.query(
      'UPDATE idempotent_requests SET answer = $4 WHERE (tenant_id, api_key_id, key) = ($1, $2, $3)',
      [...id, sealed],
    );
  }

  async function keepProblem(id: readonly unknown[], error: unknown, box: SecretBox): Promise<void> {
    if (error instanceof Problem && isKept(error)) {
      const kept = {
        status: error.status,
        body: undefined,
        problem: { code: error.code, extras: error.extras },
      };
      return keep(id, await box.seal(JSON.stringify(kept satisfies KeptAnswer)));
    }
    // what has had its effect stays claimed: it must not have it again
    await sql.query(
      `DELETE FROM idempotent_requests
       WHERE (tenant_id, api_key_id, key) = ($1, $2, $3) AND NOT committed`,
      id,
    );
  }
}

/** Failures that the next attempt may not have, and bad input that its sender corrects, are not kept. */
const isKept = ({ status }: Problem) => status < 500 && status !== 429 && status !== 400;

/** Records, in the transaction of a request's effect, that it has had it: for the unit of work. */
export async function recordEffect(sql: Sql, { idempotentRequest }: Origin): Promise<void> {
  if (!idempotentRequest) return;
  await sql.query(
    'UPDATE idempotent_requests SET committed = true WHERE (tenant_id, api_key_id, key) = ($1, $2, $3)',
    keyOf(idempotentRequest),
  );
}

const keyOf = ({ tenantId, callerId, key }: IdempotentRequest) => [tenantId, callerId, key] as const;

async function replay(
  stored: Stored,
  fingerprint: string,
  response: Response,
  box: SecretBox,
): Promise<Answer> {
  if (stored.fingerprint !== fingerprint) throw problem('idempotency_key_reused');
  if (stored.answer === null) {
    throw problem(
      stored.committed && stored.abandoned ? 'idempotent_answer_lost' : 'idempotent_request_in_progress',
    );
  }
  const kept = await opened(stored.answer, box);
  if (!kept)
    throw problem('idempotent_answer_lost', {
      detail:
        'The request with this Idempotency-Key was sent with another token or session, which alone can read its answer. Read the resource.',
    });
  response.set('idempotent-replayed', 'true');
  if (kept.problem) throw problem(kept.problem.code, kept.problem.extras);
  return kept;
}

/** @returns undefined when it was sealed for another token: the key has been rotated since */
async function opened(sealed: string, box: SecretBox): Promise<KeptAnswer | undefined> {
  try {
    return JSON.parse(await box.open(sealed)) as KeptAnswer;
  } catch (error) {
    if (error instanceof JWEDecryptionFailed) return undefined;
    throw error;
  }
}

function fingerprintOf(request: Request): string {
  const parts = [request.method, request.originalUrl, JSON.stringify(request.body ?? null)];
  // a refusal of another state is not the answer to this one
  const ifMatch = request.get('if-match');
  if (ifMatch !== undefined) parts.push(ifMatch);
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/**
 * Encrypts with a key that only the caller can make: an answer may hold a secret, such as a new token.
 * @param secret the token of the API key, or what the session writes with; the database has neither
 */
function callerSecretBox(secret: string): SecretBox {
  const key = hkdfSync('sha256', secret, '', 'sluice idempotent answer', 32);
  return secretBox(new Map([['caller', new Uint8Array(key)]]));
}

/** Requests whose time is over. */
export const idempotencyRule: PruningRule = {
  table: 'idempotent_requests',
  since: 'created_at',
  keep: `${retentionHours} hours`,
};

export async function deleteIdempotentRequests(sql: Sql, tenantId: number): Promise<void> {
  await sql.query('DELETE FROM idempotent_requests WHERE tenant_id = $1', [tenantId]);
}
