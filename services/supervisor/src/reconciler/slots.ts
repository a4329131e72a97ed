import type { DeploymentId, TenantId } from '@sluice/contracts';
import type { Due } from '../stores/reconciliations.store.ts';

/** A deployment at work. */
interface Running {
  tenantId: TenantId;
  slow: boolean;
}

/**
 * Who is next: the deployments that wait, and those at work. Slow ones take at most half of the slots, so that what is quick
 * goes on whatever hangs; among those that wait the tenant with the fewest at work has its turn.
 */
export class Slots {
  readonly #size: number;
  readonly #running = new Map<DeploymentId, Running>();
  #waiting: readonly Due[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }
  get size(): number {
    return this.#size;
  }
  get running(): number {
    return this.#running.size;
  }

  /** Puts these in the place of those that wait; the order is the order of the turns. */
  wait(due: readonly Due[]): void {
    this.#waiting = due;
  }

  /** Takes the next one that there is room for. */
  next(): Due | undefined {
    if (this.#running.size >= this.#size) return undefined;
    const slowRoom = this.#slowRoom > 0;
    const candidates = this.#waiting.filter(({ id, slow }) => !this.#running.has(id) && (!slow || slowRoom));
    const atWork = this.#countByTenant();
    const [first, ...others] = candidates;
    if (!first) return undefined;
    const load = ({ tenantId }: Due) => atWork.get(tenantId) ?? 0;
    const chosen = others.reduce((best, one) => (load(one) < load(best) ? one : best), first);
    this.#waiting = this.#waiting.filter((one) => one !== chosen);
    this.#running.set(chosen.id, { tenantId: chosen.tenantId, slow: chosen.slow });
    return chosen;
  }

  /** One at work turns out to be slow. @returns whether there is room for it among the slow ones */
  slowDown(id: DeploymentId): boolean {
    const running = this.#running.get(id);
    if (!running || running.slow) return true;
    if (this.#slowRoom <= 0) return false;
    running.slow = true;
    return true;
  }

  end(id: DeploymentId): void {
    this.#running.delete(id);
  }

  get #slowRoom(): number {
    const slow = [...this.#running.values()].filter((one) => one.slow).length;
    return Math.max(1, Math.floor(this.#size / 2)) - slow;
  }

  #countByTenant(): Map<TenantId, number> {
    const counts = new Map<TenantId, number>();
    for (const { tenantId } of this.#running.values()) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    return counts;
  }
}
