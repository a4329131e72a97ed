import { natsPermissions, topology, type Sender } from '@sluice/contracts';
import { natsPublicKey, newNatsSeed, type NatsUser } from '@sluice/embedded';

/**
 * NATS users with the permissions that they have in an installation, and what each connects with.
 * @param upgrading whether services of the release before may do what they did as well
 */
export function natsUsers<Name extends Sender>(
  senders: readonly Name[],
  namespace = 'sluice',
  upgrading = false,
): { users: NatsUser[]; environmentOf: (sender: Name) => { NATS_NKEY_SEED: string } } {
  const names = topology(namespace);
  const seeds = new Map(senders.map((sender) => [sender, newNatsSeed()]));
  const seedOf = (sender: Name) => seeds.get(sender) ?? '';
  return {
    users: senders.map((sender) => ({
      nkey: natsPublicKey(seedOf(sender)),
      permissions: natsPermissions(names, sender, upgrading),
    })),
    environmentOf: (sender) => ({ NATS_NKEY_SEED: seedOf(sender) }),
  };
}
