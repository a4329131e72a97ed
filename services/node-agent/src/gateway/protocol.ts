import type { GatewayRule, Protocol } from '@sluice/contracts';
import type { Program } from '@sluice/system/control';
import type { PortRange } from './ports.ts';

/**
 * What an agent and a gateway say to each other over the gateway's unix socket: one JSON object per line. Both may be of
 * another release than the other, so fields are only ever added, and what is not known is passed by.
 */

export type Ports = Partial<Record<Protocol, number>>;

/** Where a broker is reached, and the process that has to be behind these ports: others may get them after its end. */
export interface BrokerAddress {
  pid: number;
  /** when the process began, as the operating system tells it */
  process_start: string;
  /** on 127.0.0.1 */
  ports: Ports;
}

/** All that a gateway has to know. */
export interface GatewayState {
  /** address to listen on */
  host: string;
  /** where to listen, 0 for any port that is free; connections of protocols that are not named are cut */
  ports: Ports;
  /** where else than in `ports` it may listen: nowhere but there, or at any port that is free when it is absent */
  port_range?: PortRange;
  rules: readonly GatewayRule[];
  /** what has to be added to this machine's clock, in milliseconds */
  clock_offset: number;
  /** null when nobody is to be let in; what was told before holds when it is absent */
  broker?: BrokerAddress | null;
  /**
   * bytes per second that may pass towards the broker, and as many towards the clients; null for no limit; what was told before holds
   * when it is absent
   */
  rate_limit?: number | null;
  /** the program of HAProxy, for a gateway that is made of it; what was told before holds when it is absent */
  haproxy?: string;
  /** Nobody new is let in; the gateway ends with its last connection. */
  drain?: boolean;
}

/** The program that is to take over. */
export type Successor = Program;

/** What the builds of gateways that are made of HAProxy begin with. */
export const haproxyMark = 'haproxy-';

/** What passes the bytes on: two kinds cannot give each other their sockets. */
export function kindOf(build: string): 'built-in' | 'haproxy' {
  return build.startsWith(haproxyMark) ? 'haproxy' : 'built-in';
}

export type GatewayRequest = { apply: GatewayState } | { hand_over: Successor };

/** How a gateway is: the first line that it writes, and its answer to a request. */
export interface GatewayStatus {
  pid: number;
  /** what it was built from */
  build: string;
  /** where it listens */
  ports: Ports;
  draining: boolean;
  connections: number;
}
