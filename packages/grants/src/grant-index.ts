import {
  grantKeyOf,
  grantNameOf,
  parseGrant,
  partsOfSigned,
  type CompiledPermissions,
  type Grant,
  type TenantId,
  type Verify,
} from '@sluice/contracts';
import type { LRUCache } from 'lru-cache';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';

/** A grant that holds, and where in the bucket it stands: a change of it has a higher revision. */
export interface HeldGrant {
  grant: Grant;
  revision: number;
}

interface Entry {
  tenantId: TenantId;
  revision: number;
  /** the signed payload, until it is used first; null for one that main-api has not signed */
  held: string | Grant | null;
}

/** by how many roles and people the grants of a service are shared, at least */
const sharedObjects = 50_000;

/**
 * All grants that an instance has received. There may be a million: each is kept as the text that it came as, and
 * checked and read when it is asked for; from then on it shares its permissions and its user with others.
 */
export class GrantIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #verify: Verify;
  readonly #permissions = leastRecentlyUsed<string, CompiledPermissions>(sharedObjects);
  readonly #users = leastRecentlyUsed<string, Grant['user']>(sharedObjects);

  constructor(verify: Verify) {
    this.#verify = verify;
  }

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    this.#entries.clear();
  }

  /**
   * Takes what stands under a key of the bucket; null: nothing any more.
   * @returns false when the key is none of a grant
   */
  put(key: string, revision: number, word: string | null): boolean {
    const found = grantNameOf(key);
    if (!found) return false;
    const { tenantId } = found;
    const name = flat(found.name);
    if (word !== null) this.#entries.set(name, { tenantId, revision, held: word });
    // another tenant's removal takes nothing away
    else if (this.#entries.get(name)?.tenantId === tenantId) this.#entries.delete(name);
    return true;
  }

  /** The revision of the grant of this name, as it is at this moment. */
  revisionOf(name: string): number | undefined {
    return this.#entries.get(name)?.revision;
  }

  /** The grant of this name. @throws Error when what stands there is not main-api's word */
  async find(name: string): Promise<HeldGrant | undefined> {
    const entry = this.#entries.get(name);
    if (!entry || entry.held === null) return undefined;
    if (typeof entry.held !== 'string') return { grant: entry.held, revision: entry.revision };
    try {
      const grant = this.#shared(
        await this.#read(grantKeyOf({ name, tenantId: entry.tenantId }), entry.held),
      );
      entry.held = grant;
      return { grant, revision: entry.revision };
    } catch (error) {
      entry.held = null;
      throw error;
    }
  }

  /** What stands in the bucket, by its key, in portions: the book may change between them. */
  *portions(size: number): Generator<Map<string, number>> {
    let portion = new Map<string, number>();
    for (const [name, { tenantId, revision }] of this.#entries) {
      portion.set(grantKeyOf({ name, tenantId }), revision);
      if (portion.size < size) continue;
      yield portion;
      portion = new Map();
    }
    yield portion;
  }

  async #read(key: string, word: string): Promise<Grant> {
    const { signature, text } = partsOfSigned(word);
    const signer = await this.#verify(signature, key, text);
    if (signer !== 'main-api') throw new Error(`is signed by ${signer}`);
    const grant = parseGrant(text);
    const tenantId = grantNameOf(key)?.tenantId;
    if (grant.tenant_id !== tenantId) throw new Error('stands under a key of another tenant');
    return grant;
  }

  #shared(grant: Grant): Grant {
    const permissions = oneOf(this.#permissions, grant.permissions);
    return { ...grant, permissions, user: oneOf(this.#users, grant.user) };
  }
}

function oneOf<T extends object>(all: LRUCache<string, T>, value: T): T {
  const text = JSON.stringify(value);
  const known = all.get(text);
  if (known) return known;
  all.set(text, value);
  return value;
}

/** A part of a longer text would keep all of it in memory. */
const flat = (text: string) => Buffer.from(text, 'latin1').toString('latin1');
