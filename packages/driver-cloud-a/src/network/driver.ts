import { LinkRefused, type LinkDriver, type NetworkDriver, type WantedLink } from '@sluice/drivers';
import { asPeopleReadIt, clientsOf } from './clients.ts';
import { advanceService, removeService } from './endpoint-services.ts';
import { removeNetwork } from './networks.ts';
import { advancePeering, removePeering } from './peerings.ts';

/**
 * Links of deployments on cloud_a, made by the APIs of that cloud: each deployment that has links has a VPC of its own, with its subnet's
 * block. Everything carries the uid of its link or deployment as a tag and is looked for before it is made.
 */
export function cloudADriver(region: string): {
  links: LinkDriver;
  release: NonNullable<NetworkDriver['release']>;
} {
  const clients = clientsOf(region);
  const links: LinkDriver = {
    async advance(link, call) {
      if (link.kind === 'cloud_a_peering')
        return await withReadableErrors(advancePeering(clients, link, call), call.signal);
      if (link.kind === 'cloud_a_service')
        return await withReadableErrors(advanceService(clients, link, call), call.signal);
      throw otherCloud(link);
    },

    async remove(link, call) {
      if (link.kind === 'cloud_a_peering')
        return await withReadableErrors(removePeering(clients, link, call), call.signal);
      if (link.kind === 'cloud_a_service')
        return await withReadableErrors(removeService(clients, link, call), call.signal);
      // nothing of it was ever made here
      return true;
    },
  };
  return {
    links,
    release: (owner, call) => withReadableErrors(removeNetwork(clients, owner, call), call.signal),
  };
}

const otherCloud = ({ kind }: WantedLink) => new LinkRefused(`${kind} is not of this cloud`);

/** Errors of the API as people may read them; those of this program, and the end of the time, as they are. */
async function withReadableErrors<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isForeign = error instanceof Error && ('$metadata' in error || 'code' in error);
    throw isForeign && !signal.aborted ? asPeopleReadIt(error) : error;
  }
}
