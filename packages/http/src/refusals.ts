import { noTenant, type Grant, type ProblemCode, type RefusedType, type TenantId } from '@sluice/contracts';
import { repeat, type Repeating } from '@sluice/controller';
import {
  type Sql,
  type Log,
  type Origin,
  type Problem,
  correlationId,
  currentContext,
  withoutContext,
} from '@sluice/service';
import type { Subjects, UnitOfWork } from '@sluice/messaging';

/** A request that was refused, as far as its entry tells of it. */
export interface RefusedRequest {
  operation: string;
  /** the parameters of its path as they were sent */
  parameters: Record<string, string>;
  address: string | undefined;
}

/** Takes note of a refusal; returns at once, and never throws. */
export type NoteRefusal = (request: RefusedRequest, refusal: Problem) => void;

export interface RefusalsOptions<Handle extends Sql> {
  work: UnitOfWork<Handle>;
  /** What the ids of a path name, as far as it is the tenant's own; null when the tenant is not there any more. */
  subjects?: (tx: Handle, tenantId: TenantId, ids: Record<string, number>) => Promise<Named | null>;
  /** in which the same is recorded once, and counted after that */
  windowMilliseconds?: number;
  now: () => Date;
  log: Log;
}

type Named = Omit<Subjects, 'tenant_id' | 'user'>;

/** What is recorded by its code alone; what else is recorded says so where it is thrown. */
const recordedCodes: Partial<Record<ProblemCode, RefusedType>> = {
  protection_code_invalid: 'protection_code_refused',
  protection_locked: 'protection_code_refused',
  privilege_escalation: 'privilege_escalation_refused',
  ip_not_allowed: 'client_address_refused',
  owner_only: 'owner_action_refused',
};

/** how many attempts of one caller are counted separately at a time, by operation and ids; all further ones are counted together */
const thingsOfCaller = 20;
/** how many windows there are at a time; beyond, all callers of a tenant are one */
const mostWindows = 10_000;
/** how many entries wait for a database that is away; the oldest give way */
const mostWaiting = 1_000;

/** A refusal, and how often it has come since it was last recorded. */
interface Window {
  entry: Entry;
  ends: number;
  times: number;
  /** among whose things it counts */
  caller?: string;
}

interface Entry {
  type: RefusedType;
  tenantId: TenantId;
  origin: Origin;
  operation: string;
  code: ProblemCode;
  ids: Record<string, number>;
  address: string;
  since: string;
}

/**
 * Records refused attempts at what matters in the log of the caller's tenant. The first of a kind is written at once, beside the
 * answer; the same again within the window is counted, and written with its count when that ends. Each replica counts for itself;
 * when it is killed, the count since the first is lost.
 */
export class Refusals<Handle extends Sql> {
  readonly #options: RefusalsOptions<Handle>;
  readonly #windowMilliseconds: number;
  readonly #windows = new Map<string, Window>();
  readonly #things = new Map<string, number>();
  readonly #turning: Repeating;
  #waiting: { entry: Entry; times: number }[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RefusalsOptions<Handle>) {
    this.#options = options;
    this.#windowMilliseconds = options.windowMilliseconds ?? 60_000;
    this.#turning = withoutContext(() =>
      repeat({
        every: this.#windowMilliseconds / 4_000,
        run: () => this.#turn(),
        failed: (error) => options.log.error('refusals could not be counted', { error }),
      }),
    );
  }

  readonly note: NoteRefusal = (request, refusal) => {
    try {
      const type = refusal.extras.recordedAs ?? recordedCodes[refusal.code];
      const context = currentContext();
      const holder = context?.holder;
      // a session belongs to no tenant; whose log should it be?
      if (!type || !context || !holder || holder.tenant_id === noTenant) return;
      this.#count(this.#entryOf(type, request, refusal, holder, correlationId(context)));
    } catch (error) {
      this.#options.log.error('a refusal was not recorded', { error });
    }
  };

  /** Writes what has been counted. */
  async stop(): Promise<void> {
    await this.#turning.stop();
    this.#turn(Infinity);
    await this.#writing;
  }

  #entryOf(
    type: RefusedType,
    { operation, parameters, address }: RefusedRequest,
    { code }: Problem,
    { tenant_id: tenantId, user, api_key }: Grant,
    correlation_id: string,
  ): Entry {
    const ids = Object.entries(parameters)
      .filter(([name]) => name.endsWith('_id'))
      .map(([name, value]): [string, number] => [name, Number(value)]);
    return {
      ...{ type, tenantId, operation, code, address: address ?? '' },
      origin: { cause: { author: user, api_key, correlation_id } },
      ids: Object.fromEntries(ids.filter(([, id]) => Number.isSafeInteger(id))),
      since: this.#options.now().toISOString(),
    };
  }

  #count(entry: Entry): void {
    const { operation, code, ids } = entry;
    const { author, api_key } = entry.origin.cause;
    const caller = `${entry.tenantId} ${api_key?.id ?? `user ${author?.id}`} ${entry.type}`;
    const thing = `${caller} ${operation} ${code} ${JSON.stringify(ids)}`;
    const known = this.#windows.get(thing);
    if (known) return void (known.times += 1);
    if (this.#windows.size >= mostWindows)
      return this.#countWith(`${entry.tenantId} ${entry.type}`, anybodys(entry));
    const things = this.#things.get(caller) ?? 0;
    if (things >= thingsOfCaller) return this.#countWith(caller, { ...entry, ids: {} });
    this.#things.set(caller, things + 1);
    this.#open(thing, entry, caller);
  }

  #countWith(key: string, entry: Entry): void {
    const known = this.#windows.get(key);
    if (known) known.times += 1;
    else this.#open(key, entry);
  }

  #open(key: string, entry: Entry, caller?: string): void {
    const ends = performance.now() + this.#windowMilliseconds;
    this.#windows.set(key, { entry, ends, times: 0, ...(caller !== undefined && { caller }) });
    this.#write(entry, 1);
  }

  /** Ends the windows whose time has come. One in which more has come goes on: it is still one entry in each. */
  #turn(now = performance.now()): void {
    for (const [key, window] of this.#windows) {
      if (window.ends > now) continue;
      if (window.times === 0) this.#close(key, window);
      else {
        this.#write(window.entry, window.times);
        const since = this.#options.now().toISOString();
        window.entry = { ...window.entry, since };
        window.times = 0;
        window.ends = now + this.#windowMilliseconds;
      }
    }
    if (this.#waiting.length > 0) this.#flush();
  }

  #close(key: string, { caller }: Window): void {
    this.#windows.delete(key);
    if (caller === undefined) return;
    const left = (this.#things.get(caller) ?? 0) - 1;
    if (left > 0) this.#things.set(caller, left);
    else this.#things.delete(caller);
  }

  #write(entry: Entry, times: number): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#waiting.shift();
      this.#options.log.error('a refusal was not recorded: too many wait for the database');
    }
    this.#waiting.push({ entry, times });
    this.#flush();
  }

  /** One at a time, outside of a request's context: an attempt must not take what other requests need. */
  #flush(): void {
    this.#writing = this.#writing.then(() => withoutContext(() => this.#writeWaiting()));
  }

  async #writeWaiting(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        await this.#record(next.entry, next.times);
      } catch (error) {
        this.#options.log.warn('a refusal is not recorded yet', { error });
        this.#waiting.unshift(next);
        return;
      }
    }
  }

  async #record(entry: Entry, times: number): Promise<void> {
    const { work, subjects } = this.#options;
    const { type, tenantId, operation, code, ids, address, since } = entry;
    await work(entry.origin, async (tx) => {
      const named = subjects ? await subjects(tx, tenantId, ids) : {};
      if (named === null) return;
      tx.emit(type, { tenant_id: tenantId, ...named }, { operation, code, ids, address, since, times });
    });
  }
}

/** An attempt of one among many callers, without its author. */
const anybodys = (entry: Entry): Entry => ({
  ...entry,
  ids: {},
  origin: { cause: { ...entry.origin.cause, author: null, api_key: null } },
});
