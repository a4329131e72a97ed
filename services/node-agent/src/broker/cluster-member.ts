import type { DesiredCluster, ReportedCluster } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { ClusterState, ServingBroker } from '../runtimes/runtime.ts';
import { clusterPort, type ClusterPort } from './cluster-port.ts';

const unknown: ClusterState = { leader: false, healthy: false, behind: [], alone: null };

/** What a node has to do with its cluster beside the broker's process: where that listens for the others, and how it is among them. */
export class ClusterMember {
  readonly #port: ClusterPort;
  readonly #log: Log;
  #desired: DesiredCluster | null = null;
  #state: ClusterState = unknown;
  #seenAt = 0;

  constructor(home: string, log: Log) {
    this.#port = clusterPort(home);
    this.#log = log;
  }

  /** Sees to it that there is a port, should it be one of this cluster. */
  async prepare(desired: DesiredCluster | null): Promise<void> {
    if (desired !== null) await this.#port.choose(desired.host);
  }

  /** From now on it is one of this cluster, or by itself. */
  follow(desired: DesiredCluster | null): void {
    this.#desired = desired;
  }

  /** Where the broker listens for the others; null where it is by itself. */
  get port(): number | null {
    return this.#desired === null ? null : this.#port.current;
  }

  /** Whether the others know where it is: before that it would not be found, and would not know how many there are. */
  get isPlaced(): boolean {
    if (this.#desired === null) return true;
    const { routes, server_name } = this.#desired;
    return routes.some((route) => route.server_name === server_name);
  }

  get mayRestart(): boolean {
    return this.#desired?.may_restart ?? true;
  }

  /** Whether somebody else has its port, and it has chosen another. To be asked while no broker of the node runs. */
  async isDisplaced(): Promise<boolean> {
    return this.#desired !== null && (await this.#port.chooseAgain(this.#desired.host));
  }

  /** Finds out how the broker is; what does not answer is not well. */
  async look(serving: ServingBroker | null): Promise<void> {
    const desired = this.#desired;
    if (desired === null) return;
    const alone = this.#state.alone;
    try {
      this.#state = (await serving?.clusterState?.(desired.server_name, othersOf(desired))) ?? unknown;
      if (serving === null) this.#state = { ...unknown, alone };
      this.#seenAt = performance.now();
    } catch (error) {
      this.#log.warn('the broker does not say how its cluster is', { reason: reasonOf(error) });
      this.#state = { ...unknown, alone };
    }
  }

  /** Has the others lead before the broker ends, so that nobody waits for an election. */
  async stepDown(serving: ServingBroker | null): Promise<void> {
    if (this.#desired === null || serving === null) return;
    const { server_name } = this.#desired;
    await serving.stepDown?.(server_name).catch((error: unknown) => {
      this.#log.warn('the broker could not hand over what it leads', { reason: reasonOf(error) });
    });
    this.#state = { ...unknown, alone: this.#state.alone };
  }

  /** Whether it led the cluster and was well when that was found out last, and when that was, in milliseconds of this process. */
  get leadership(): { leads: boolean; seenAt: number } | null {
    if (this.#desired === null) return null;
    return { leads: this.#state.leader && this.#state.healthy, seenAt: this.#seenAt };
  }

  /** As a heartbeat tells it; undefined where it is by itself. */
  report(awaitsRestart: boolean): ReportedCluster | undefined {
    if (this.#desired === null) return undefined;
    return { port: this.#port.current, awaits_restart: awaitsRestart, ...this.#state };
  }
}

const othersOf = ({ routes, server_name }: DesiredCluster) =>
  routes.map((route) => route.server_name).filter((name) => name !== server_name);
