import { getCredentials, openBrokerSession, SluiceError } from '@sluice/client';
import type { Broker, SessionEnd } from '@sluice/stream-ui/broker/session.ts';
import type { OpenDeployment } from '../deployment-context.ts';

type Place = Pick<OpenDeployment, 'path' | 'region' | 'supervisor'>;

/** The relay of the region, by the console's own origin. */
export function sessionUrl({ path, region }: Pick<Place, 'path' | 'region'>, origin: string): string {
  const [cloud, name] = [region.cloud, region.region].map(encodeURIComponent);
  const url = new URL(`/api/regions/${cloud}/${name}/deployments/${path.deployment_id}/broker`, origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * Opens a session with the broker of a deployment, signed in with its login, which stays in memory. The code that speaks with brokers is
 * loaded with the first one.
 * @throws SluiceError, ShownError
 */
export async function openSession(place: Place, onEnd: (end: SessionEnd) => void): Promise<Broker> {
  const at = { client: place.supervisor, path: { deployment_id: place.path.deployment_id } };
  const [{ openBroker }, { data: login }] = await Promise.all([
    import('@sluice/stream-ui/broker/session.ts'),
    getCredentials(at),
  ]);
  try {
    return await openBroker({ url: sessionUrl(place, location.origin), login, onEnd });
  } catch (error) {
    // a browser does not say why an upgrade was refused
    await openBrokerSession(at).catch((reason: unknown) => {
      if (!(reason instanceof SluiceError && reason.code === 'upgrade_required')) throw reason;
    });
    throw error;
  }
}
