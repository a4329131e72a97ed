import { openControlLink } from '@sluice/system/control';
import type { Log } from '@sluice/system/log';
import type { GatewayRequest, GatewayState, GatewayStatus, Successor } from '../gateway/protocol.ts';

/** How long a gateway may take to answer, and to be replaced. Milliseconds. */
const answerLimit = 5_000;
const handOverLimit = 20_000;

/** The way to a gateway that runs. */
export interface GatewayLink {
  /** as it was told last */
  readonly status: GatewayStatus;
  readonly closed: boolean;
  /** Resolves once it has been done. @throws Error when the gateway could not, is gone or does not answer */
  apply(state: GatewayState): Promise<void>;
  /** Lets another program take over; this gateway goes on with the connections that it has. @throws Error like `apply` */
  handOver(to: Successor): Promise<void>;
}

/**
 * Speaks to the gateway behind a socket. Null when nobody listens there.
 * @param onClose called when it is gone
 * @throws Error when it does not say how it is
 */
export async function openLink(path: string, log: Log, onClose: () => void): Promise<GatewayLink | null> {
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
