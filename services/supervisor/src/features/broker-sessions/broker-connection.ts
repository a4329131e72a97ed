import { once } from 'node:events';
import type { DeploymentId } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import { problem } from '@sluice/service';
import { WebSocket, type ClientOptions } from 'ws';
import type { Database } from '@sluice/region-store/tables';
import { findCertificate } from '@sluice/region-store/certificates.store';
import { endpointsOf, type ViewOptions } from '../deployments/deployment-view.ts';
import { getLiveDeployment } from '../deployments/live-deployment.store.ts';
import { mostFrameBytes } from './relay.ts';

/** the time that a broker has to answer. Milliseconds. */
const connectLimit = 5_000;

/**
 * Connects to the WebSocket of a deployment's broker, of any node that can be reached.
 * @throws Problem `state_conflict` where it has none, `broker_unreachable`
 */
export async function connectToBroker(
  database: Database,
  view: ViewOptions,
  id: DeploymentId,
): Promise<WebSocket> {
  const { deployment, nodes } = await getLiveDeployment(database, id);
  const addresses = nodes.flatMap((node) => endpointsOf(deployment, [node], view).broker_websocket ?? []);
  if (addresses.length === 0)
    throw problem('state_conflict', { detail: 'The deployment has no broker with a WebSocket now.' });
  const certificate = await findCertificate(database, id);
  // the client hands on what it does not know to Node.js
  const tls = certificate && { ca: certificate.authority, servername: certificate.server_name };
  // a configuration can say otherwise for a deployment whose clients come without TLS
  const schemes = deployment.plain_text ? ['ws', 'wss'] : ['wss'];
  let reason = '';
  for (const address of addresses)
    for (const scheme of schemes)
      try {
        return await opened(`${scheme}://${address}`, (tls ?? {}) as ClientOptions);
      } catch (error) {
        reason = reasonOf(error);
      }
  const where =
    deployment.byoc_driver === null ? 'The region' : "The region, which is outside of the machines' network,";
  throw problem('broker_unreachable', {
    detail: `${where} cannot reach the broker at ${addresses.join(', ')}: ${reason}`,
    headers: { 'retry-after': '5' },
  });
}

async function opened(address: string, tls: ClientOptions): Promise<WebSocket> {
  const socket = new WebSocket(address, {
    ...tls,
    handshakeTimeout: connectLimit,
    maxPayload: mostFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
  });
  // also of one that was given up
  socket.on('error', () => undefined);
  // what the broker says first is not lost
  socket.once('open', () => socket.pause());
  await once(socket, 'open', { signal: AbortSignal.timeout(connectLimit) }).catch((error: unknown) => {
    socket.terminate();
    throw error;
  });
  return socket;
}
