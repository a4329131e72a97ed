import type { Job } from '@sluice/controller';
import type { TenantId } from '@sluice/contracts';
import type { PriceList } from './price-list.ts';

/** From when a list is valid: for a tenant, or for all that have none of their own. */
export interface PriceListAssignment {
  id: number;
  tenant_id: TenantId | null;
  /** null: for this tenant the list of all again */
  list: number | null;
  valid_from: Date;
}

interface Lists {
  lists: readonly PriceList[];
  /** by `valid_from` and `id` */
  assignments: readonly PriceListAssignment[];
}

/** A list, and the second from which it is valid for a tenant. */
export interface ValidList {
  from: Date;
  list: PriceList;
}

/**
 * The price lists, in memory. They are announced at least ten minutes ahead and read every ten seconds, so that each replica has a list
 * before it is valid.
 */
export class PriceBook {
  readonly #load: () => Promise<Lists>;
  readonly now: () => Date;
  #lists = new Map<number, PriceList>();
  #assignments: readonly PriceListAssignment[] = [];

  private constructor(load: () => Promise<Lists>, now: () => Date) {
    this.#load = load;
    this.now = now;
  }

  static async open(load: () => Promise<Lists>, now: () => Date): Promise<PriceBook> {
    const book = new PriceBook(load, now);
    await book.refresh();
    return book;
  }

  async refresh(): Promise<void> {
    const { lists, assignments } = await this.#load();
    this.#lists = new Map(lists.map((list) => [list.number, list]));
    this.#assignments = assignments;
  }

  job(): Job {
    return { name: 'price_lists', every: 10, run: () => this.refresh() };
  }

  /** The number of the newest assignment: what was sent by an older one may lack a list. */
  get revision(): number {
    return Math.max(0, ...this.#assignments.map(({ id }) => id));
  }

  find(number: number): PriceList | undefined {
    return this.#lists.get(number);
  }

  /** The list that is valid for a tenant, or in general, at a time; by default now. */
  at(tenantId: TenantId | null, time: Date = this.now()): PriceList {
    const list = this.#numberAt(tenantId, time);
    const found = list === undefined ? undefined : this.#lists.get(list);
    if (!found) throw new Error(`no price list is valid at ${time.toISOString()}`);
    return found;
  }

  /** The lists that are valid from a time on, in their order: the first one at that time already. */
  since(tenantId: TenantId | null, time: Date = this.now()): [ValidList, ...ValidList[]] {
    const valid: [ValidList, ...ValidList[]] = [{ from: time, list: this.at(tenantId, time) }];
    for (const { tenant_id, valid_from: from } of this.#assignments) {
      if (from <= time || (tenant_id !== null && tenant_id !== tenantId)) continue;
      const list = this.at(tenantId, from);
      if (list !== valid.at(-1)?.list) valid.push({ from, list });
    }
    return valid;
  }

  #numberAt(tenantId: TenantId | null, time: Date): number | undefined {
    const last = (of: TenantId | null) =>
      this.#assignments.findLast(({ tenant_id, valid_from }) => tenant_id === of && valid_from <= time)?.list;
    return (tenantId === null ? undefined : last(tenantId)) ?? last(null) ?? undefined;
  }
}
