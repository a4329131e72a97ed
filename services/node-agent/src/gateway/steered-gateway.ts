import type { LogLine } from '@sluice/system/control';
import type { Inheritance, Legacy } from './hand-over.ts';
import type { GatewayState, Ports, Successor } from './protocol.ts';

/** What stands before the broker, whatever it is made of. */
export interface SteeredGateway {
  /** where it listens */
  readonly ports: Ports;
  readonly connections: number;
  readonly draining: boolean;
  /** From now on this holds. @throws Error when it can't be so */
  apply(state: GatewayState, inheritance?: Inheritance): Promise<void>;
  /** What this successor is given to listen on. */
  leaveTo(successor: Successor): Promise<Legacy>;
  /** Stops listening. Those who are in may stay, for a day at most. */
  drain(): Promise<void>;
}

/** What a gateway tells the process that it runs in. */
export interface GatewayEvents {
  log: (...line: LogLine) => void;
  /** Called when the gateway has come to listen nowhere and to hold no connection. */
  onIdle?: () => void;
  /** Called when it has lost what it listens on and all connections. */
  onBroken?: () => void;
}
