import type { Heartbeat } from '@sluice/contracts';

/** A program of the node, as tasks see it. Its desired state comes with the rest. */
export interface NodeRuntime {
  /** identifies the process, also for the next agent; null when none runs */
  readonly process: string | null;
  /** `running` only in the desired configuration */
  report(): Pick<Heartbeat['runtimes'][number], 'status' | 'reason'>;
  /** true while it waits for its turn to be replaced */
  readonly awaitsRestart?: boolean;
  /** Ends the process that runs, and starts another. Where none runs, one is started at once. */
  restart(): void;
}
