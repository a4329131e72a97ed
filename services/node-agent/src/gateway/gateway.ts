import type { Server } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { createAdmission, type Admission } from './admission.ts';
import type { DataPath, DataPathEvents, Policy } from './data-path.ts';
import type { Inherited } from './hand-over.ts';
import type { BrokerAddress, GatewayState, Ports } from './protocol.ts';
import { TcpRelay } from './tcp-relay.ts';

/** The longest time between two reviews of connections, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;
/** After this time the connections of a gateway that was replaced are reset. Milliseconds. */
const drainLimit = 24 * 60 * 60 * 1_000;

/**
 * The only way to the broker, which itself listens on loopback: it admits by access rules until these end (interface, 4.8), and leaves
 * the bytes to its data path.
 */
export class Gateway {
  readonly #log: DataPathEvents['log'];
  readonly #path: DataPath;
  #policy: Policy = { admits: () => false, serverOf: () => null, rateLimit: null };
  #broker: BrokerAddress | null = null;
  #page: BrokerAddress | null = null;
  #nextReview: NodeJS.Timeout | undefined;
  #drainEnd: NodeJS.Timeout | undefined;

  constructor(
    events: DataPathEvents,
    createPath: (events: DataPathEvents) => DataPath = (given) => new TcpRelay(given),
  ) {
    this.#log = events.log;
    this.#path = createPath(events);
  }

  get ports(): Ports {
    return this.#path.ports;
  }
  get connections(): number {
    return this.#path.connections;
  }
  get draining(): boolean {
    return this.#drainEnd !== undefined;
  }
  get servers(): readonly [Protocol, Server][] {
    return this.#path.servers;
  }

  /** Applies a state. Connections that it does not admit are reset before anything else. @throws Error when it cannot be applied */
  async apply(state: GatewayState, inherited?: ReadonlyMap<Protocol, Inherited>): Promise<void> {
    const { rules, ports, clock_offset } = state;
    const {
      broker = this.#broker,
      page = this.#page,
      rate_limit: rateLimit = this.#policy.rateLimit,
    } = state;
    this.#broker = broker;
    this.#page = page;
    const admission = createAdmission(rules);
    for (const block of admission.unreadable)
      this.#log('error', 'an access rule has a block that is not a CIDR', { block });
    const admits: Policy['admits'] = (protocol, address) =>
      protocol in ports && admission.admits(protocol, address, Date.now() + clock_offset);
    const serverOf: Policy['serverOf'] = (protocol) =>
      [broker, page].find((one) => one?.ports[protocol] !== undefined) ?? null;
    this.#policy = { admits, serverOf, rateLimit };
    this.#review(admission, clock_offset);
    if (state.drain === true) this.drain();
    else await this.#path.listen(state, inherited);
  }

  #review(admission: Admission, clockOffset: number): void {
    clearTimeout(this.#nextReview);
    // before it is enforced: a rule that ends during that has its review
    const now = Date.now() + clockOffset;
    this.#path.enforce(this.#policy);
    const end = admission.nextEnd(now);
    if (end === null) return;
    const again = () => this.#review(admission, clockOffset);
    this.#nextReview = setTimeout(again, Math.min(end - now, reviewInterval));
  }

  /** Stops listening. Present connections may stay for a day. */
  drain(): void {
    this.#drainEnd ??= setTimeout(() => this.#path.resetAll(), drainLimit).unref();
    this.#path.stopListening();
  }

  close(): void {
    clearTimeout(this.#nextReview);
    this.drain();
    this.#path.resetAll();
  }
}
