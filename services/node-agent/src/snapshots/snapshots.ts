import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DesiredState,
  SnapshotArchivePiece,
  SnapshotFindings,
  SnapshotId,
  WantedSnapshot,
} from '@sluice/contracts';
import { createBackoff, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { ArchivedFolder } from './archive.ts';
import type { Check, ExaminedNode } from './check.ts';

interface SnapshotsOptions {
  /** how the node is now, and what its broker's product has to check */
  node: (wanted: DesiredState, appliedRevision: number | null) => ExaminedNode;
  runtimeChecks: () => Promise<readonly Check[]>;
  /** Tells the supervisor; rejects when it did not take it in. */
  tell: (id: SnapshotId, findings: SnapshotFindings) => Promise<void>;
  /** Sends a piece of an archive. @returns false when nobody waits for it any more */
  send: (id: SnapshotId, piece: SnapshotArchivePiece) => Promise<boolean>;
  /** what the supervisor's clock shows, in milliseconds since 1970 */
  now: () => number;
  log: Log;
}

/** as many as are remembered as begun */
const mostRemembered = 100;
/** milliseconds */
const betweenPieces = 15;

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
    for (const wanted of state.snapshots) {
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
      const examined = node(state, appliedRevision);
      const findings = await examine({
        node: examined,
        // the others are made without them
        runtimeChecks: await runtimeChecks().catch(() => []),
        redactSecrets: wanted.redact_secrets,
      });
      await this.#repeat(wanted, () => this.#options.tell(wanted.id, findings));
      log.info('the node has been examined', { snapshot: wanted.id, milliseconds: findings.milliseconds });
      if (wanted.archive_bytes !== undefined)
        await this.#archive(wanted, examined.home, wanted.archive_bytes);
    } catch (error) {
      log.error('the node could not be examined', { snapshot: wanted.id, reason: reasonOf(error) });
    }
  }

  /** One piece after the other: what has not been taken in is sent again. */
  async #archive(wanted: WantedSnapshot, home: string, mostBytes: number): Promise<void> {
    const { send, log } = this.#options;
    const { archivePieces } = await import('./archive.ts');
    for await (const piece of archivePieces(await storedFolders(home), mostBytes)) {
      if (!(await this.#repeat(wanted, () => send(wanted.id, piece)))) return;
      if (piece.last)
        log.info('the data folder has been sent', { snapshot: wanted.id, pieces: piece.number });
      // heartbeats and telemetry share the limit of requests
      await sleep(betweenPieces);
    }
  }

  /** Until the supervisor has taken it in, or the deadline has passed. @throws what it failed for then */
  async #repeat<Result>({ id, deadline }: WantedSnapshot, attempt: () => Promise<Result>): Promise<Result> {
    const { now, log } = this.#options;
    const backoff = createBackoff({ first: 200, cap: 5_000 });
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (now() >= Date.parse(deadline)) throw error;
        log.warn('what the node has found could not be told', { snapshot: id, reason: reasonOf(error) });
        await sleep(backoff.next());
      }
    }
  }
}

/** What the broker stores, and what sinks have written to files: both are messages. */
async function storedFolders(home: string): Promise<ArchivedFolder[]> {
  const instances = join(home, 'connectors/instances');
  const ids = await readdir(instances).catch(() => []);
  const files = ids.map((id) => ({ path: join(instances, id, 'files'), name: `connectors/${id}` }));
  return [{ path: join(home, 'broker'), name: '' }, ...files];
}
