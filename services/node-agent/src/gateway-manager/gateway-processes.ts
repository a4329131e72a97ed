import { join } from 'node:path';
import { keptProcesses, type KeptProcesses } from '@sluice/system';
import { openControlLink, type Program } from '@sluice/system/control';
import type { Log } from '@sluice/system/log';
import type { GatewayRequest, GatewayState, GatewayStatus } from '../gateway/protocol.ts';

const answerLimit = 5_000;
const handOverLimit = 20_000;

export interface GatewayLink {
  readonly status: GatewayStatus;
  readonly closed: boolean;
  /** @throws Error when the gateway could not apply it, is gone or does not answer */
  apply(state: GatewayState): Promise<void>;
  /** Lets another program take over; this gateway keeps its connections. @throws Error like `apply` */
  handOver(to: Program): Promise<void>;
}

export function gatewayProcesses(home: string, log: Log, onClose: () => void): KeptProcesses<GatewayLink> {
  return keptProcesses({
    name: 'gateway',
    folder: join(home, 'gateway'),
    errorsFile: join(home, 'gateway.log'),
    open: (socket) => openLink(socket, log, onClose),
    log,
  });
}

async function openLink(path: string, log: Log, onClose: () => void): Promise<GatewayLink | null> {
  const options = { name: 'gateway', answerLimit, log, onClose };
  const link = await openControlLink<GatewayRequest, GatewayStatus>(path, options);
  if (link === null) return null;
  return {
    get status() {
      return link.status;
    },
    get closed() {
      return link.closed;
    },
    apply: (state) => link.ask({ apply: state }, answerLimit),
    handOver: (to) => link.ask({ hand_over: to }, handOverLimit),
  };
}
