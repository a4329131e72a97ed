import {
  LinkRefused,
  type DriverCall,
  type LinkDriver,
  type NetworkDriver,
  type WantedLink,
} from '@sluice/drivers';
import { advanceAttachment, removeAttachment } from './attachments.ts';
import { clientsOf, stepOf, type CloudBOptions, type Step } from './clients.ts';
import { asCloudError, asPeopleReadIt, UnderWay } from './errors.ts';
import { removeNetwork } from './networks.ts';
import { advancePeering, removePeering } from './peerings.ts';

const underWaySeconds = 1;

/**
 * Links of deployments on cloud_b, made by the API of that cloud: each deployment that has links has a network of its own, with its subnet.
 * Names follow from the uids of links and deployments, so that nothing can be made twice.
 */
export function cloudBDriver(options: CloudBOptions): {
  links: LinkDriver;
  release: NonNullable<NetworkDriver['release']>;
} {
  const clients = clientsOf(options);

  /** Errors of the API as people may read them; those of this program, and the end of the time, as they are. */
  async function inStep<T>(call: DriverCall, work: (step: Step) => Promise<T>): Promise<T> {
    try {
      return await work(await stepOf(clients, call));
    } catch (error) {
      call.signal.throwIfAborted();
      throw asPeopleReadIt(asCloudError(error));
    }
  }

  const links: LinkDriver = {
    async advance(link, call) {
      const { status, facts } = link;
      return await inStep(call, (step) => {
        if (link.kind === 'cloud_b_peering') return advancePeering(step, link);
        if (link.kind === 'cloud_b_attachment') return advanceAttachment(step, link);
        throw otherCloud(link);
      }).catch((error: unknown) => {
        if (error instanceof UnderWay) return { status, facts, lookAgainSeconds: underWaySeconds };
        throw error;
      });
    },

    async remove(link, call) {
      return await inStep(call, async (step) => {
        if (link.kind === 'cloud_b_peering') return await removePeering(step, link);
        if (link.kind === 'cloud_b_attachment') return await removeAttachment(step, link);
        // nothing of it was ever made here
        return true;
      }).catch((error: unknown) => {
        if (error instanceof UnderWay) return false;
        throw error;
      });
    },
  };
  return { links, release: (owner, call) => inStep(call, (step) => removeNetwork(step, owner)) };
}

const otherCloud = ({ kind }: WantedLink) => new LinkRefused(`${kind} is not of this cloud`);
