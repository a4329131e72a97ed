import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '@sluice/contracts';
import { createAdmission } from '../gateway/admission.ts';
import type { Inheritance, Legacy } from '../gateway/hand-over.ts';
import { atFreePort, portsToTry } from '../gateway/ports.ts';
import { kindOf } from '../gateway/protocol.ts';
import type { GatewayState, Ports, Successor } from '../gateway/protocol.ts';
import type { GatewayEvents, SteeredGateway } from '../gateway/steered-gateway.ts';
import type { Listening, Steering } from './configuration.ts';
import { Instance, protocolsOf, removeLeftovers } from './instance.ts';
import type { Session } from './runtime-api.ts';

/** Rules are looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;
/** Those that listen no more are looked at this often: they end with their last connection. */
const leaveInterval = 1_000;
/** After so long the connections of one that listens no more are cut. */
const drainLimit = 24 * 60 * 60 * 1_000;
/** So many of one gateway may have connections left over from what it was told before; the oldest ends beyond that. */
const mostLeaving = 8;
/** A connection that is cut is gone at the second look, or some time after; longer than this is a failure. */
const mostLooks = 400;
/** A connection that has not come to the broker after so many looks is cut on its way. */
const longestWay = 300;
const lookEvery = 5;

/**
 * The entrance to the broker, made of HAProxy: what clients and broker send passes through that alone. Rules and broker are told to
 * it while it runs. For other ports, another rate or another program there is another one, which gets the listening sockets from the
 * one before; that keeps its connections, by the same rules.
 */
export class HaproxyGateway implements SteeredGateway {
  readonly #options: GatewayEvents;
  readonly #folder: string;
  /** the newest last: it listens, unless nothing does */
  #instances: Instance[] = [];
  #started = 0;
  #state: GatewayState | null = null;
  #admission = createAdmission([]);
  /** what connections were looked at for */
  #reviewed = '';
  #connections = 0;
  #nextReview: NodeJS.Timeout | undefined;
  #leaving: NodeJS.Timeout | undefined;
  #drainEnd: NodeJS.Timeout | undefined;

  /** @param folder for the files of its processes; also a successor's */
  constructor(options: GatewayEvents, folder: string) {
    this.#options = options;
    this.#folder = folder;
  }

  get ports(): Ports {
    return this.#listener?.listening.ports ?? {};
  }

  get connections(): number {
    return this.#connections;
  }

  get draining(): boolean {
    return this.#drainEnd !== undefined;
  }

  /**
   * From now on this holds. What no rule lets in any more is cut before anything else is done. Ports that are taken are
   * replaced by others; a protocol for which there is none is not among `ports`.
   * @throws Error when it can't be so
   */
  async apply(state: GatewayState, inheritance?: Inheritance): Promise<void> {
    const { broker = null, rate_limit = null, haproxy } = { ...this.#state, ...state };
    this.#state = { ...state, broker, rate_limit, ...(haproxy !== undefined && { haproxy }) };
    this.#admission = createAdmission(state.rules);
    for (const block of this.#admission.unreadable)
      this.#options.log('error', 'an access rule has a block that is not a CIDR', { block });
    const steering = this.#steering(this.#state);
    await this.#ofEach((instance) => instance.steer(steering));
    await this.#review(state);
    if (rate_limit !== null) await this.#giveUp(state.drain === true);
    else if (state.drain === true) await this.drain();
    else await this.#listen(this.#state, inheritance?.haproxy);
    this.#connections = await this.#count();
  }

  /** Its HAProxy, which gives its sockets to another one. A gateway of the other kind has to have them free. */
  async leaveTo({ build }: Successor): Promise<Legacy> {
    if (kindOf(build) !== 'haproxy') await this.#release();
    return { servers: [], haproxy: this.#listener?.socket };
  }

  async drain(): Promise<void> {
    this.#drainEnd ??= setTimeout(() => void this.close(), drainLimit).unref();
    await this.#release();
  }

  /** Ends with every connection. */
  async close(): Promise<void> {
    clearTimeout(this.#nextReview);
    clearInterval(this.#leaving);
    await Promise.all(this.#instances.splice(0).map((instance) => instance.end()));
    this.#connections = 0;
    this.#options.onIdle?.();
  }

  /** A limit is the built-in gateway's to keep: who is connected here has to come back to that. */
  async #giveUp(isReplaced: boolean): Promise<void> {
    if (isReplaced) await this.drain();
    await this.close();
    if (!isReplaced) throw new Error('a gateway of HAProxy does not limit what passes');
  }

  get #listener(): Instance | undefined {
    return this.#instances.findLast((instance) => instance.listens);
  }

  /** Stops listening until it is told where to. */
  async #release(): Promise<void> {
    await this.#listener?.release();
    this.#watchLeaving();
    this.#connections = await this.#count();
  }

  #steering({ rules, clock_offset, broker = null }: GatewayState): Steering {
    return { rules, clockOffset: clock_offset, broker };
  }

  async #listen(state: GatewayState, heir?: string): Promise<void> {
    if (this.#started === 0) await removeLeftovers(this.#folder);
    const listener = this.#listener;
    const listening = await this.#wanted(state, heir !== undefined);
    if (JSON.stringify(listening) === JSON.stringify(listener?.listening)) return;
    if (protocolsOf(listening.ports).length === 0) return await this.#release();
    const name = `${process.pid}-${++this.#started}`;
    const [folder, { log }] = [this.#folder, this.#options];
    const predecessor = heir ?? listener?.socket;
    const steering = this.#steering(state);
    const instance = await Instance.start({ folder, name, listening, steering, heir: predecessor, log });
    this.#instances.push(instance);
    void instance.ended.then(() => this.#forget(instance));
    await listener?.release();
    this.#watchLeaving();
  }

  /** Where to listen: a protocol stays where it is, and one that is new gets another port where its own is taken. */
  async #wanted(state: GatewayState, inherits: boolean): Promise<Listening> {
    const { host, ports, haproxy } = state;
    const present = inherits ? ports : this.ports;
    const found: Ports = {};
    // one after the other: each has to be another one
    for (const protocol of protocolsOf(ports)) {
      const port = present[protocol] ?? (await this.#freePort(protocol, state, Object.values(found)));
      if (port !== undefined) found[protocol] = port;
    }
    return { program: haproxy ?? 'haproxy', host, ports: found };
  }

  /** @param others that are not free any more */
  async #freePort(
    protocol: Protocol,
    { host, ports, port_range }: GatewayState,
    others: readonly number[],
  ): Promise<number | undefined> {
    const { log } = this.#options;
    const wanted = ports[protocol] ?? 0;
    const candidates = portsToTry(wanted, port_range).filter((port) => !others.includes(port));
    const port = await atFreePort(candidates, (free) => probe(free, host));
    if (port === undefined) log('error', 'no port is free', { protocol, range: port_range });
    else if (wanted !== 0 && port !== wanted)
      log('warn', 'the port is taken, using another', { protocol, port: wanted });
    return port;
  }

  /** Cuts whom no rule lets in any more, and comes back when the next rule ends. */
  async #review(state: GatewayState): Promise<void> {
    clearTimeout(this.#nextReview);
    const now = Date.now() + state.clock_offset;
    const about = JSON.stringify([state.rules, protocolsOf(state.ports)]);
    const hasEnds = state.rules.some(({ valid_to }) => valid_to !== null);
    if (hasEnds || about !== this.#reviewed) await this.#cut(state);
    this.#reviewed = about;
    const end = this.#admission.nextEnd(now);
    if (end === null || this.#state === null) return;
    const wait = Math.min(end - now, reviewInterval);
    this.#nextReview = setTimeout(() => void this.#reviewAgain(), wait);
  }

  async #reviewAgain(): Promise<void> {
    try {
      if (this.#state !== null) await this.#review(this.#state);
    } catch (error) {
      this.#options.log('error', 'connections could not be looked at', { reason: String(error) });
      this.#nextReview = setTimeout(() => void this.#reviewAgain(), leaveInterval);
    }
  }

  /** Returns once nobody is connected whom no rule lets in: all are cut where that can't be had otherwise. */
  async #cut(state: GatewayState): Promise<void> {
    await this.#ofEach(async (instance) => {
      try {
        await this.#cutRefused(instance, state);
      } catch (error) {
        if (!instance.runs) return;
        const reason = String(error);
        this.#options.log('error', 'HAProxy is ended, and with it all its connections', { reason });
        await instance.kill();
      }
    });
  }

  /** @throws Error when those whom no rule lets in cannot be found, or do not go */
  async #cutRefused({ api }: Instance, state: GatewayState): Promise<void> {
    for (let look = 0; look < mostLooks; look++) {
      const now = Date.now() + state.clock_offset;
      const refused = (await api.sessions()).filter((session) => !this.#mayStay(session, state, now));
      if (refused.length === 0) return;
      // HAProxy keeps the client's side of what is cut on its way to the broker open for ever: that has to arrive first
      await api.cut(refused.filter(({ connects }) => !connects || look > longestWay));
      if (look > 0) await sleep(lookEvery);
    }
    throw new Error('HAProxy does not cut its connections');
  }

  /** Asks all processes at once. One that ends meanwhile has nothing to answer. */
  async #ofEach<Answer>(ask: (instance: Instance) => Promise<Answer>): Promise<Answer[]> {
    const answers = this.#instances.map(async (instance) => {
      try {
        return [await ask(instance)];
      } catch (error) {
        if (instance.runs) throw error;
        return [];
      }
    });
    return (await Promise.all(answers)).flat();
  }

  #mayStay({ protocol, address }: Session, state: GatewayState, now: number): boolean {
    return protocol in state.ports && this.#admission.admits(protocol, address, now);
  }

  #watchLeaving(): void {
    this.#leaving ??= setInterval(() => void this.#endLeaving().catch(() => undefined), leaveInterval);
  }

  /** Ends those that listen no more and hold no connection. */
  async #endLeaving(): Promise<void> {
    const leaving = this.#instances.filter((instance) => !instance.listens);
    for (const [index, instance] of leaving.entries()) {
      const isOneTooMany = index < leaving.length - mostLeaving;
      if (isOneTooMany || (await instance.api.sessions()).length === 0) await instance.end();
    }
    this.#connections = await this.#count();
  }

  async #count(): Promise<number> {
    const counts = await this.#ofEach(async ({ api, listens }) =>
      listens ? await api.count() : await api.listed(),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** A process that has ended, by itself or because it was told to. */
  #forget(instance: Instance): void {
    this.#instances = this.#instances.filter((other) => other !== instance);
    if (!instance.isReleased) {
      this.#options.log('error', 'HAProxy has ended by itself', { pid: instance.pid });
      this.#options.onBroken?.();
    }
    if (this.#instances.every(({ listens }) => listens)) {
      clearInterval(this.#leaving);
      this.#leaving = undefined;
    }
    if (this.#instances.length === 0) {
      this.#connections = 0;
      this.#options.onIdle?.();
    }
  }
}

/** Listens for a moment. @returns where @throws Error when somebody else does */
async function probe(port: number, host: string): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
    return bound.port;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
