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
import { retry } from '@sluice/controller/retry';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { ArchivedFolder } from './archive.ts';
import type { Check, ExaminedNode } from './check.ts';

interface SnapshotsOptions {
  /** the node as it is now, and its broker's checks */
  node: (wanted: DesiredState, appliedRevision: number | null) => ExaminedNode;
  runtimeChecks: () => Promise<readonly Check[]>;
  /** Sends the findings to the supervisor; rejects when they were not taken. */
  report: (id: SnapshotId, findings: SnapshotFindings) => Promise<void>;
  /** Sends a piece of an archive. @returns false when the supervisor does not want it any more */
  send: (id: SnapshotId, piece: SnapshotArchivePiece) => Promise<boolean>;
  /** by the supervisor's clock, in milliseconds since 1970 */
  now: () => number;
  log: Log;
}

const mostRemembered = 100;
const betweenPieces = 15;

/**
 * Examines the node when the supervisor wants that, beside everything else: a broken node must be able to report.
 * One that comes again is not made again; an agent that has just started makes it once more, and the supervisor keeps what came first.
 */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  #begun: SnapshotId[] = [];

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** To be called with each state, before it is applied. */
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
      await this.#repeat(wanted, () => this.#options.report(wanted.id, findings));
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

  /** @throws the last error once the deadline has passed */
  async #repeat<Result>({ id, deadline }: WantedSnapshot, attempt: () => Promise<Result>): Promise<Result> {
    const { now, log } = this.#options;
    const failed = (error: unknown) => {
      if (now() >= Date.parse(deadline)) throw error;
      log.warn('the findings could not be sent', { snapshot: id, reason: reasonOf(error) });
    };
    return await retry(attempt, { pause: { first: 200, cap: 5_000 }, failed });
  }
}

/** What the broker stores, and what sinks have written to files: both are messages. */
async function storedFolders(home: string): Promise<ArchivedFolder[]> {
  const instances = join(home, 'connectors/instances');
  const ids = await readdir(instances).catch(() => []);
  const files = ids.map((id) => ({ path: join(instances, id, 'files'), name: `connectors/${id}` }));
  return [{ path: join(home, 'broker'), name: '' }, ...files];
}
