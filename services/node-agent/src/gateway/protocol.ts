import type { GatewayRule, Protocol } from '@sluice/contracts';
import type { Program } from '@sluice/system/control';
import type { PortRange } from './ports.ts';

/**
 * The messages of an agent and a gateway over the gateway's unix socket: one JSON object per line. They may be of different releases,
 * so fields are only added, and unknown ones are ignored.
 */

export type Ports = Partial<Record<Protocol, number>>;

/** Ports of the broker, or of a page beside it, and the process behind them: other programs may get the ports after its end. */
export interface BrokerAddress {
  pid: number;
  process_start: string;
  /** on 127.0.0.1 */
  ports: Ports;
}

export interface GatewayState {
  host: string;
  /** where to listen, 0 for any port that is free; connections of protocols that are not named are cut */
  ports: Ports;
  /** the only other ports that it may listen on; absent: any */
  port_range?: PortRange;
  rules: readonly GatewayRule[];
  /** the supervisor's clock minus this machine's, in milliseconds */
  clock_offset: number;
  /** null: no connection is admitted; absent: as before */
  broker?: BrokerAddress | null;
  /** what the node serves besides the broker, in place of protocols that the broker has no port for; null: nothing; absent: as before */
  page?: BrokerAddress | null;
  /** bytes per second towards the broker, and as many towards the clients; null: no limit; absent: as before */
  rate_limit?: number | null;
  /** It takes no new connection, and ends with its last one. */
  drain?: boolean;
}

export type GatewayRequest = { apply: GatewayState } | { hand_over: Program };

/** The first line that a gateway writes, and its answer to a request. */
export interface GatewayStatus {
  pid: number;
  build: string;
  ports: Ports;
  draining: boolean;
  connections: number;
}
