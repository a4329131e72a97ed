import type { Heartbeat } from '@sluice/contracts';

/** A program of the node, as far as tasks need to know it. What it should be like, it has been told with the desired state. */
export interface NodeRuntime {
  /** What tells the process that runs from every other one, also to the next agent; null when none runs. */
  readonly process: string | null;
  /** How it is, compared with what is desired: `running` only in the configuration that it should have. */
  report(): Pick<Heartbeat['runtimes'][number], 'status' | 'reason'>;
  /** Whether it goes on as it was until it is its turn to be replaced. */
  readonly awaitsRestart?: boolean;
  /** Ends the process that runs, and starts another. Where none runs, one is started at once. */
  restart(): void;
}
