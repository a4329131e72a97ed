import { createHash } from 'node:crypto';
import { notifierRequests, type ChannelOwner, type NotifierRequests, type TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { requester, type Answered, type Ask, type Asked } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import { leastRecentlyUsed, problem } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';

/** Requests that change something: they say whose change it is. */
type ChangeName = {
  [Name in keyof NotifierRequests]: Asked<NotifierRequests, Name> extends { once: unknown } ? Name : never;
}[keyof NotifierRequests];

/** How the notifier is asked for what it keeps. */
export interface NotifierClient {
  ask: Ask<NotifierRequests>;
  /**
   * Has something changed, while the caller's right holds; a request with an `Idempotency-Key` has its effect once, also when its
   * answer was lost. To be called within a unit of work that holds the tenant's lock.
   */
  change<Name extends ChangeName>(
    caller: Caller,
    name: Name,
    owner: ChannelOwner,
    data: Omit<Asked<NotifierRequests, Name>, 'once' | 'cause' | keyof ChannelOwner>,
  ): Promise<Answered<NotifierRequests, Name>>;
}

/** Changes that wait for the notifier each hold a connection to the database: the others are for everybody else. */
const mostChanges = (connections: number) => Math.max(1, Math.floor(connections / 3));
/** a change is slow when the name server of its destination is, which the notifier waits for half a second for */
const slowMilliseconds = 400;
const mostSlowTenants = 10_000;

export function notifierClient(
  { nats, topology, grants, environment }: ServiceRuntime,
  box: SecretBox,
): NotifierClient {
  const subject = topology.subjects.notifierRequests;
  const ask = requester({ nats, subject, box, requests: notifierRequests });
  const places = new ChangePlaces(mostChanges(environment.DATABASE_POOL_SIZE));
  return {
    ask,
    async change(caller, name, owner, data) {
      const leave = places.take(owner.tenant_id);
      const content = { ...owner, ...data };
      const asked = { ...content, cause: caller.cause, once: onceOf(caller, name, content) };
      // a right that is taken away meanwhile counts as held until the notifier has answered: whoever takes it away waits
      const end = caller.right && grants.beginCommit(caller.right);
      try {
        return await ask(name, asked as never);
      } finally {
        leave();
        end?.();
      }
    },
  };
}

/** Places for changes: one for a tenant, and a third of them, at least one, for all tenants whose last change was slow. */
class ChangePlaces {
  readonly #most: number;
  readonly #taken = new Set<TenantId>();
  readonly #slow = leastRecentlyUsed<TenantId, true>(mostSlowTenants);

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns what gives the place back. @throws Problem `unavailable` where none is left for the tenant */
  take(tenant: TenantId): () => void {
    const isSlow = (one: TenantId) => this.#slow.has(one);
    const slow = [...this.#taken].filter(isSlow).length;
    const isFull = this.#taken.size >= this.#most || (isSlow(tenant) && slow >= Math.max(1, this.#most / 3));
    if (isFull || this.#taken.has(tenant)) throw problem('unavailable', { headers: { 'retry-after': '1' } });
    this.#taken.add(tenant);
    const since = performance.now();
    return () => {
      this.#taken.delete(tenant);
      if (performance.now() - since > slowMilliseconds) this.#slow.set(tenant, true);
      else this.#slow.delete(tenant);
    };
  }
}

/** Tells the notifier a repetition from another request, also from one with the same key that asks for something else. */
function onceOf({ idempotentRequest }: Caller, name: string, content: object): string | null {
  if (!idempotentRequest) return null;
  const { tenantId, apiKeyId, key } = idempotentRequest;
  return createHash('sha256')
    .update(JSON.stringify([tenantId, apiKeyId, key, name, content]))
    .digest('hex');
}
