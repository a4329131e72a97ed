import type { DesiredCluster, ReportedCluster } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { ClusterState, ServingBroker } from '../runtimes/runtime.ts';
import { clusterPort, type ClusterPort } from './cluster-port.ts';

/**
 * For so long after it was seen that a node leads its cluster, its sources may work; and so long a node has to have led it before they
 * begin, so that those of the one before have ended. A broker notices within ten seconds that it leads no other any more. Milliseconds.
 */
const leaseMilliseconds = 5_000;
const holdOffMilliseconds = 10_000;

const unknown: ClusterState = { leader: false, healthy: false, behind: [], alone: null };

/** The node as a member of its cluster: its port for the others, and its state among them. */
export class ClusterMember {
  readonly #port: ClusterPort;
  readonly #log: Log;
  readonly #now: () => number;
  #desired: DesiredCluster | null = null;
  #state: ClusterState = unknown;
  #seenAt = 0;
  #leadsSince: number | null = null;

  /**
   * @param port where the broker has to listen for the others; undefined where it may choose
   * @param now milliseconds that only grow
   */
  constructor(home: string, log: Log, port?: number, now = () => performance.now()) {
    this.#port = clusterPort(home, port);
    this.#log = log;
    this.#now = now;
  }

  async prepare(desired: DesiredCluster | null): Promise<void> {
    if (desired !== null) await this.#port.choose(desired.host);
  }

  follow(desired: DesiredCluster | null): void {
    this.#desired = desired;
  }

  get port(): number | null {
    return this.#desired === null ? null : this.#port.current;
  }

  /** true once the others know its address: a broker started before would not be found, and would not know the size of its cluster */
  get isPlaced(): boolean {
    if (this.#desired === null) return true;
    const { routes, server_name } = this.#desired;
    return routes.some((route) => route.server_name === server_name);
  }

  get mayRestart(): boolean {
    return this.#desired?.may_restart ?? true;
  }

  /** True if its port is taken, and another was chosen. Only while no broker of the node runs. */
  async isDisplaced(): Promise<boolean> {
    return this.#desired !== null && (await this.#port.chooseAgain(this.#desired.host));
  }

  /** Reads the state of the broker; one that does not answer is not healthy. */
  async look(serving: ServingBroker | null): Promise<void> {
    const desired = this.#desired;
    if (desired === null) return;
    const { alone } = this.#state;
    const askedAt = this.#now();
    let state: ClusterState | undefined;
    try {
      state = await serving?.clusterState?.(desired.server_name, othersOf(desired));
    } catch (error) {
      this.#log.warn('the broker does not say how its cluster is', { reason: reasonOf(error) });
    }
    this.#note(state ?? { ...unknown, alone }, askedAt);
  }

  /** @param at the earliest time of this state */
  #note(state: ClusterState, at: number): void {
    this.#state = state;
    this.#seenAt = at;
    this.#leadsSince = state.leader && state.healthy ? (this.#leadsSince ?? at) : null;
  }

  /** Has the others lead before the broker ends, so that clients wait for no election. */
  async stepDown(serving: ServingBroker | null): Promise<void> {
    if (this.#desired === null || serving === null) return;
    const { server_name } = this.#desired;
    await serving.stepDown?.(server_name).catch((error: unknown) => {
      this.#log.warn('the broker could not hand over what it leads', { reason: reasonOf(error) });
    });
    this.#note({ ...unknown, alone: this.#state.alone }, this.#now());
  }

  /**
   * For how many milliseconds sources of connectors may work from now on (interface, 3): where the cluster is led, and well, and on no two
   * nodes for longer than that. Undefined where the node is by itself: for as long as they like.
   */
  get sourceLease(): number | undefined {
    if (this.#desired === null) return undefined;
    const now = this.#now();
    if (this.#leadsSince === null || now - this.#leadsSince < holdOffMilliseconds) return 0;
    return Math.max(0, Math.floor(this.#seenAt + leaseMilliseconds - now));
  }

  report(awaitsRestart: boolean): ReportedCluster | undefined {
    if (this.#desired === null) return undefined;
    return { port: this.#port.current, awaits_restart: awaitsRestart, ...this.#state };
  }
}

const othersOf = ({ routes, server_name }: DesiredCluster) =>
  routes.map((route) => route.server_name).filter((name) => name !== server_name);
