import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredState, SnapshotFindings, SnapshotId, WantedSnapshot } from '@sluice/contracts';
import { createBackoff, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { Check, ExaminedNode } from './check.ts';

interface SnapshotsOptions {
  /** how the node is now, and what its broker's product has to check */
  node: (wanted: DesiredState, appliedRevision: number | null) => ExaminedNode;
  runtimeChecks: () => Promise<readonly Check[]>;
  /** Tells the supervisor; rejects when it did not take it in. */
  tell: (id: SnapshotId, findings: SnapshotFindings) => Promise<void>;
  /** what the supervisor's clock shows, in milliseconds since 1970 */
  now: () => number;
  log: Log;
}

/** as many as are remembered as begun */
const mostRemembered = 100;

/**
 * Examines the node when the supervisor wants that, beside everything else: what is wrong with the node must not keep it from being told.
 * One that comes again is not made again; an agent that has just started makes it once more, and the supervisor keeps what came first.
 */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  #begun: SnapshotId[] = [];

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** To be called with each state as it comes, before it is applied. */
  follow(state: DesiredState, appliedRevision: number | null): void {
    for (const wanted of state.snapshots ?? []) {
      const isOver = Date.parse(wanted.deadline) <= this.#options.now();
      if (isOver || this.#begun.includes(wanted.id)) continue;
      this.#begun = [...this.#begun, wanted.id].slice(-mostRemembered);
      void this.#take(wanted, state, appliedRevision);
    }
  }

  async #take(wanted: WantedSnapshot, state: DesiredState, appliedRevision: number | null): Promise<void> {
    const { node, runtimeChecks, log } = this.#options;
    try {
      // the checks are loaded only where they are asked for
      const { examine } = await import('./examine.ts');
      const findings = await examine({
        node: node(state, appliedRevision),
        runtimeChecks: await runtimeChecks(),
        redactSecrets: wanted.redact_secrets,
      });
      await this.#tell(wanted, findings);
    } catch (error) {
      log.error('the node could not be examined', { snapshot: wanted.id, reason: reasonOf(error) });
    }
  }

  async #tell({ id, deadline }: WantedSnapshot, findings: SnapshotFindings): Promise<void> {
    const { tell, now, log } = this.#options;
    const backoff = createBackoff({ first: 200, cap: 5_000 });
    for (;;) {
      try {
        await tell(id, findings);
        return void log.info('the node has been examined', {
          snapshot: id,
          milliseconds: findings.milliseconds,
        });
      } catch (error) {
        if (now() >= Date.parse(deadline)) throw error;
        log.warn('what the node has found could not be told', { snapshot: id, reason: reasonOf(error) });
        await sleep(backoff.next());
      }
    }
  }
}
