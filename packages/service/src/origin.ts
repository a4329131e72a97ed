import type { Cause, TenantId } from '@sluice/contracts';

/** A request that was sent with an `Idempotency-Key`, as its record is found. */
export interface IdempotentRequest {
  tenantId: number;
  /** the id of the API key; of a session the user's, negated */
  callerId: number;
  key: string;
}

/** The right on which a request acts: which grant, and as it stood when the request was authorized. */
export interface Right {
  name: string;
  revision: number;
}

/**
 * The right was changed or taken away since the request was authorized, or the lease on all rights is about to end: the
 * request has to be authorized again.
 */
export class RightChanged extends Error {}

/** Where the right of a request is compared once more when its effect is committed. */
export interface CommitGuard {
  /** how long the database may hear nothing of a transaction whose commit has begun, in milliseconds */
  readonly commitMilliseconds: number;
  /** @returns what to call when the commit has come to an end; @throws RightChanged */
  beginCommit(right: Right): () => void;
}

/** Where a change comes from: what the unit of work has to know of its author. */
export interface Origin {
  /** on whose behalf the events of the change are recorded */
  cause: Cause;
  /** the tenant whose share of the database's connections the change uses; 0: whose who is in none; absent: no share */
  tenantId?: TenantId;
  /** on what it is allowed, where it is a request's: the change is committed only while this holds */
  right?: Right;
  /** the request whose effect the change is, where it must have it once */
  idempotentRequest?: IdempotentRequest;
}

/** The origin of what Sluice does by itself. */
export const system: Origin = { cause: { author: null, api_key: null, correlation_id: null } };
