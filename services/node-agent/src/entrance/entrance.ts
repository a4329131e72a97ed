import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayRule, Protocol } from '@sluice/contracts';
import { createBackoff, readIfPresent, reasonOf, writePrivateFile } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { z } from 'zod';
import type { PortRange } from '../gateway/ports.ts';
import { kindOf } from '../gateway/protocol.ts';
import type { BrokerAddress, GatewayState, GatewayStatus, Ports, Successor } from '../gateway/protocol.ts';
import { createWakeSignal } from '../wake-signal.ts';
import type { GatewayLink } from './gateway-link.ts';
import { gatewayProcesses } from './gateway-processes.ts';
import type { GatewayPrograms } from './gateway-program.ts';

/** Gateways are told again this often: one that hangs is noticed, and all go by the supervisor's clock. Milliseconds. */
const tellEvery = 10_000;

/** what a gateway without ports is told to listen on */
const nowhere = '127.0.0.1';

const portsSchema = z.record(z.string(), z.int().min(1).max(65535));

interface EntranceOptions {
  home: string;
  /** address to listen on, as it is now; undefined where there is none that it may listen on */
  host: () => string | undefined;
  /** ports that it may listen on; undefined: any */
  portRange?: PortRange | undefined;
  /** where to listen for the protocols that it names, whatever else was so before */
  fixedPorts?: Ports;
  /** of the gateway; one that was built from something else is replaced */
  programs: GatewayPrograms;
  /** what has to be added to this machine's clock, in milliseconds */
  clockOffset: () => number;
  log: Log;
}

/** Who is let in, and how much of what they send and get passes. */
export interface Wanted {
  rules: readonly GatewayRule[];
  protocols: readonly Protocol[];
  /** bytes per second each way; null for no limit */
  rateLimit: number | null;
}

/**
 * Keeps one gateway before the broker: a process of its own, so that clients stay connected when the agent ends and when
 * another takes its place. A gateway that has been replaced goes on with the connections that it has, and is told of
 * rules until the last of them has ended.
 */
export class Entrance {
  readonly #options: EntranceOptions;
  readonly #processes: ReturnType<typeof gatewayProcesses>;
  readonly #portsFile: string;
  readonly #due = createWakeSignal();
  readonly #backoff = createBackoff({ first: 50, cap: 5_000 });
  #links: GatewayLink[] = [];
  #wanted: Wanted | null = null;
  /** undefined until this agent knows better than the one before */
  #broker: BrokerAddress | null | undefined;
  #ports: Ports = {};
  /** one that could not be replaced */
  #old: GatewayLink | null = null;
  #asked = 0;
  #waiting: { until: number; resolve: () => void }[] = [];

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#portsFile = join(options.home, 'gateway-ports.json');
    this.#processes = gatewayProcesses(options.home, options.log, () => this.#due.wake());
  }

  /** where clients connect; empty before the first `enforce` */
  get ports(): Ports {
    return this.#ports;
  }

  /** All gateways of the node, those that were replaced among them, as they were told last. */
  get gateways(): readonly GatewayStatus[] {
    return this.#links.filter(({ closed }) => !closed).map(({ status }) => status);
  }

  /** Finds the gateway, or starts one, and keeps it from now on. */
  start(): void {
    void this.#keep();
  }

  /**
   * Lets in whom these rules let in, by these protocols, and their bytes at this rate. Resolves when all others are cut, also from
   * gateways that have been replaced. Each protocol has the same port as the last time if that is free.
   */
  async enforce(wanted: Wanted): Promise<void> {
    this.#wanted = wanted;
    await this.#applied();
  }

  /** Passes clients on to this broker from now on, or to none. */
  async forward(broker: BrokerAddress | null): Promise<void> {
    this.#broker = broker;
    await this.#applied();
  }

  async #applied(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ until: ++this.#asked, resolve });
    this.#due.wake();
    await promise;
  }

  async #keep(): Promise<never> {
    for (;;) {
      try {
        const asked = this.#asked;
        await this.#converge();
        this.#backoff.reset();
        for (const { until, resolve } of this.#waiting) if (until <= asked) resolve();
        this.#waiting = this.#waiting.filter(({ until }) => until > asked);
        await this.#due.wait(tellEvery);
      } catch (error) {
        this.#options.log.error('the gateway could not be told', { reason: reasonOf(error) });
        await sleep(this.#backoff.next());
      }
    }
  }

  async #converge(): Promise<void> {
    const current = await this.#current();
    // what the former agent has said holds until there is something to say
    const wanted = this.#wanted;
    if (wanted === null) return;
    const host = this.#options.host();
    // who may come is told all the same
    const protocols = host === undefined ? [] : wanted.protocols;
    const kept = readPorts(await readIfPresent(this.#portsFile));
    const { fixedPorts = {} } = this.#options;
    const former = { ...kept, ...current.status.ports, ...fixedPorts };
    const ports = Object.fromEntries(protocols.map((protocol) => [protocol, former[protocol] ?? 0]));
    const state = this.#state(wanted, ports, host);
    const replaced = this.#links.filter((link) => link !== current);
    await Promise.all([
      this.#tell(current, state),
      ...replaced.map((link) => this.#tell(link, { ...state, drain: true }).catch(() => undefined)),
    ]);
    const listening = current.status.ports;
    if (JSON.stringify(listening) !== JSON.stringify(this.#ports))
      this.#options.log.info('gateway listens', { ports: listening });
    this.#ports = listening;
    if (host === undefined)
      throw new Error('the machine has no private address, and the gateway may listen on no other');
    this.#refuseWithoutPort(protocols);
    if (protocols.some((protocol) => listening[protocol] !== kept[protocol]))
      await writePrivateFile(this.#portsFile, JSON.stringify({ ...kept, ...listening }));
  }

  /** A state in which clients could not come counts as not applied. @throws Error when other gateways have all ports of the range */
  #refuseWithoutPort(protocols: readonly Protocol[]): void {
    const lacking = protocols.filter((protocol) => this.#ports[protocol] === undefined);
    if (lacking.length === 0) return;
    const [first, last] = this.#options.portRange ?? [1, 65_535];
    throw new Error(`no port from ${first} to ${last} is free for ${lacking.join(', ')}`);
  }

  /** HAProxy where the node has it and nothing is limited: what it holds back of a connection that has ended would be lost. */
  get #program(): Successor {
    const { builtin, haproxy } = this.#options.programs;
    return haproxy === undefined || (this.#wanted?.rateLimit ?? null) !== null ? builtin : haproxy;
  }

  #state({ rules, rateLimit }: Wanted, ports: Ports, host = nowhere): GatewayState {
    const { portRange, clockOffset, programs } = this.#options;
    return {
      ...{ host, ports, rules, clock_offset: clockOffset(), rate_limit: rateLimit },
      ...(portRange !== undefined && { port_range: portRange }),
      ...(this.#broker !== undefined && { broker: this.#broker }),
      ...(programs.haproxy !== undefined && { haproxy: programs.haproxy.path }),
    };
  }

  /** @throws Error when the gateway has not done it; if it is not gone by itself, it is ended */
  async #tell(link: GatewayLink, state: GatewayState): Promise<void> {
    try {
      await link.apply(state);
    } catch (error) {
      if (!link.closed) {
        this.#options.log.error('a gateway does not do as it is told, ending it', {
          reason: reasonOf(error),
        });
        await this.#processes.kill(link.status.pid);
      }
      throw error;
    }
  }

  /** The gateway that listens: one of this program, if that can be had. */
  async #current(): Promise<GatewayLink> {
    const { log } = this.#options;
    const program = this.#program;
    this.#links = this.#links.filter((link) => !link.closed);
    const [first] = this.#candidates();
    if (first !== undefined && this.#mayStay(first)) return first;
    await this.#find();
    const [found] = this.#candidates();
    if (found === undefined) return await this.#start();
    if (this.#mayStay(found)) return found;
    if (kindOf(found.status.build) !== kindOf(program.build)) return await this.#change(found);
    try {
      await found.handOver(program);
      log.info('gateway replaced', { pid: found.status.pid, connections: found.status.connections });
    } catch (error) {
      // to serve clients is more than to do so by the newest program
      log.error('the gateway could not be replaced', { reason: reasonOf(error) });
      if (found.closed) throw error;
      this.#old = found;
      return found;
    }
    await this.#find();
    return this.#candidates().find((link) => this.#isOwn(link)) ?? (await this.#start());
  }

  /** Lets a gateway of the other kind take over: it listens when the former does so no more, some milliseconds later. */
  async #change(found: GatewayLink): Promise<GatewayLink> {
    const wanted = this.#wanted;
    // it goes by what it was told last, and that is not known here yet
    if (wanted === null) return found;
    const started = await this.#start();
    await this.#tell(found, {
      ...this.#state(wanted, found.status.ports, this.#options.host()),
      drain: true,
    });
    this.#options.log.info('gateway changed', {
      pid: found.status.pid,
      connections: found.status.connections,
    });
    return started;
  }

  async #start(): Promise<GatewayLink> {
    const started = await this.#processes.start(this.#program);
    this.#options.log.info('gateway started', { pid: started.status.pid });
    this.#links.push(started);
    return started;
  }

  async #find(): Promise<void> {
    const known = new Set(this.#links.map((link) => link.status.pid));
    const found = await this.#processes.find(known);
    for (const { status } of found) this.#options.log.info('found a running gateway', { ...status });
    this.#links.push(...found);
  }

  /** Those that could listen, first the one that should. */
  #candidates(): GatewayLink[] {
    const rank = (link: GatewayLink) =>
      (Object.keys(link.status.ports).length > 0 ? 2 : 0) + (this.#isOwn(link) ? 1 : 0);
    return this.#links
      .filter((link) => !link.closed && !link.status.draining)
      .sort((a, b) => rank(b) - rank(a));
  }

  #mayStay(link: GatewayLink): boolean {
    return this.#isOwn(link) || link === this.#old;
  }

  #isOwn(link: GatewayLink): boolean {
    return link.status.build === this.#program.build;
  }
}

function readPorts(text: string | null): Ports {
  if (text === null) return {};
  try {
    return portsSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
