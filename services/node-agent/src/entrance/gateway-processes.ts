import { join } from 'node:path';
import { keptProcesses, type KeptProcesses } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { openLink, type GatewayLink } from './gateway-link.ts';

/**
 * The processes of a node's gateways. One that does not do as it is told is ended, since it may let in whom it should not.
 * @param onClose called when one of them is gone
 */
export function gatewayProcesses(home: string, log: Log, onClose: () => void): KeptProcesses<GatewayLink> {
  return keptProcesses({
    name: 'gateway',
    folder: join(home, 'gateway'),
    errorsFile: join(home, 'gateway.log'),
    open: (socket) => openLink(socket, log, onClose),
    log,
  });
}
