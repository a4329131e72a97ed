import { join } from 'node:path';
import type { GatewayRule, Protocol } from '@sluice/contracts';
import { readIfPresent, reasonOf, writePrivateFile } from '@sluice/system';
import type { Program } from '@sluice/system/control';
import type { Log } from '@sluice/system/log';
import { z } from 'zod';
import type { PortRange } from '../gateway/ports.ts';
import type { BrokerAddress, GatewayState, GatewayStatus, Ports } from '../gateway/protocol.ts';
import { parsed } from '../parsed.ts';
import { Due } from '../due.ts';
import { gatewayProcesses, type GatewayLink } from './gateway-processes.ts';

/** the host of a gateway without ports */
const nowhere = '127.0.0.1';

const portsSchema = z.record(z.string(), z.int().min(1).max(65535));

interface GatewayManagerOptions {
  home: string;
  /** address to listen on now; undefined if there is none that is allowed */
  host: () => string | undefined;
  portRange?: PortRange | undefined;
  /** ports by protocol that precede former ones */
  fixedPorts?: Ports;
  /** of the gateway; one of another build is replaced */
  program: Program;
  /** what the node serves besides the broker */
  page?: () => BrokerAddress | null;
  /** the supervisor's clock minus this machine's, in milliseconds */
  clockOffset: () => number;
  log: Log;
}

export interface Wanted {
  rules: readonly GatewayRule[];
  protocols: readonly Protocol[];
  rateLimit: number | null;
}

/**
 * Keeps one gateway before the broker: a process of its own, so that clients stay connected when the agent ends and when
 * another takes its place. A replaced gateway keeps its connections, and gets the rules until the last of them has ended.
 */
export class GatewayManager {
  readonly #options: GatewayManagerOptions;
  readonly #processes: ReturnType<typeof gatewayProcesses>;
  readonly #portsFile: string;
  readonly due = new Due();
  #links: GatewayLink[] = [];
  #wanted: Wanted | null = null;
  /** undefined until this agent has looked for one */
  #broker: BrokerAddress | null | undefined;
  #ports: Ports = {};
  #old: GatewayLink | null = null;
  #requested = 0;
  #waiting: { until: number; resolve: () => void }[] = [];

  constructor(options: GatewayManagerOptions) {
    this.#options = options;
    this.#portsFile = join(options.home, 'gateway-ports.json');
    this.#processes = gatewayProcesses(options.home, options.log, this.due.wake);
  }

  /** where clients connect; empty before the first `enforce` */
  get ports(): Ports {
    return this.#ports;
  }

  /** All gateways of the node, replaced ones included. */
  get statuses(): readonly GatewayStatus[] {
    return this.#links.filter(({ closed }) => !closed).map(({ status }) => status);
  }

  /**
   * Resolves when these rules, protocols and rate hold, also in replaced gateways, and other connections are reset. Each protocol keeps
   * its port if that is free.
   */
  async enforce(wanted: Wanted): Promise<void> {
    this.#wanted = wanted;
    await this.#applied();
  }

  /** Resolves when clients are passed on to this broker, or to none. */
  async forward(broker: BrokerAddress | null): Promise<void> {
    this.#broker = broker;
    await this.#applied();
  }

  async #applied(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ until: ++this.#requested, resolve });
    this.due.wake();
    await promise;
  }

  async converge(): Promise<void> {
    const requested = this.#requested;
    await this.#converge();
    for (const { until, resolve } of this.#waiting) if (until <= requested) resolve();
    this.#waiting = this.#waiting.filter(({ until }) => until > requested);
  }

  async #converge(): Promise<void> {
    const current = await this.#current();
    // the state that the former agent applied holds until there is another
    const wanted = this.#wanted;
    if (wanted === null) return;
    const host = this.#options.host();
    // rules are applied all the same
    const protocols = host === undefined ? [] : wanted.protocols;
    const kept: Ports = parsed(portsSchema, await readIfPresent(this.#portsFile)) ?? {};
    const { fixedPorts = {} } = this.#options;
    const former = { ...kept, ...current.status.ports, ...fixedPorts };
    const ports = Object.fromEntries(protocols.map((protocol) => [protocol, former[protocol] ?? 0]));
    const state = this.#state(wanted, ports, host);
    const replaced = this.#links.filter((link) => link !== current);
    await Promise.all([
      this.#apply(current, state),
      ...replaced.map((link) => this.#apply(link, { ...state, drain: true }).catch(() => undefined)),
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

  /** A state without a port for a protocol is not applied. @throws Error when no port of the range is free */
  #refuseWithoutPort(protocols: readonly Protocol[]): void {
    const lacking = protocols.filter((protocol) => this.#ports[protocol] === undefined);
    if (lacking.length === 0) return;
    const [first, last] = this.#options.portRange ?? [1, 65_535];
    throw new Error(`no port from ${first} to ${last} is free for ${lacking.join(', ')}`);
  }

  #state({ rules, rateLimit }: Wanted, ports: Ports, host = nowhere): GatewayState {
    const { portRange, clockOffset, page } = this.#options;
    return {
      ...{ host, ports, rules, clock_offset: clockOffset(), rate_limit: rateLimit },
      ...(portRange !== undefined && { port_range: portRange }),
      ...(this.#broker !== undefined && { broker: this.#broker }),
      ...(page && { page: page() }),
    };
  }

  /** @throws Error when the gateway did not apply it: it may admit what it should not, and is ended */
  async #apply(link: GatewayLink, state: GatewayState): Promise<void> {
    try {
      await link.apply(state);
    } catch (error) {
      if (!link.closed) {
        this.#options.log.error('a gateway does not apply its state, ending it', {
          reason: reasonOf(error),
        });
        await this.#processes.kill(link.status.pid);
      }
      throw error;
    }
  }

  /** The gateway that listens: one of this program, if possible. */
  async #current(): Promise<GatewayLink> {
    const { log, program } = this.#options;
    this.#links = this.#links.filter((link) => !link.closed);
    const [first] = this.#candidates();
    if (first !== undefined && this.#mayStay(first)) return first;
    await this.#find();
    const [found] = this.#candidates();
    if (found === undefined) return await this.#start();
    if (this.#mayStay(found)) return found;
    try {
      await found.handOver(program);
      log.info('gateway replaced', { pid: found.status.pid, connections: found.status.connections });
    } catch (error) {
      // serving clients matters more than the newest program
      log.error('the gateway could not be replaced', { reason: reasonOf(error) });
      if (found.closed) throw error;
      this.#old = found;
      return found;
    }
    await this.#find();
    return this.#candidates().find((link) => this.#isOwn(link)) ?? (await this.#start());
  }

  async #start(): Promise<GatewayLink> {
    const started = await this.#processes.start(this.#options.program);
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

  /** Gateways that can listen, the preferred one first. */
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
    return link.status.build === this.#options.program.build;
  }
}
