import type { Server } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import type { LogLine } from '@sluice/system/control';
import type { Inherited } from './hand-over.ts';
import type { BrokerAddress, GatewayState, Ports } from './protocol.ts';

export interface Policy {
  admits: (protocol: Protocol, address: string | undefined) => boolean;
  /** what serves a protocol; null while nothing does */
  serverOf: (protocol: Protocol) => BrokerAddress | null;
  rateLimit: number | null;
}

/** Moves bytes between clients and broker by a policy: in this process (`TcpRelay`), or elsewhere. */
export interface DataPath {
  readonly ports: Ports;
  readonly connections: number;
  /** Applies the policy to new connections, and resets the present ones that it does not admit. */
  enforce(policy: Policy): void;
  /**
   * Listens at these ports and no others; present connections stay. A port that is taken is replaced by another; a protocol for which
   * there is none is not among `ports`.
   * @param inherited sockets of a predecessor to listen on, instead of new ones
   */
  listen(
    where: Pick<GatewayState, 'host' | 'ports' | 'port_range'>,
    inherited?: ReadonlyMap<Protocol, Inherited>,
  ): Promise<void>;
  /** the sockets that a successor can listen on */
  readonly servers: readonly [Protocol, Server][];
  stopListening(): void;
  resetAll(): void;
}

export interface DataPathEvents {
  log: (...line: LogLine) => void;
  /** called when it listens nowhere and holds no connection */
  onIdle?: () => void;
}
