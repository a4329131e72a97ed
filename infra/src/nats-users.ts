import { natsPermissions, operator, operatorPermissions, topology, type Sender } from '@sluice/contracts';
import { natsPublicKey, newNatsSeed, type NatsUser } from '@sluice/embedded';
import { readIfPresent } from '@sluice/system';
import { keptSecret, type SecretsHome } from './secrets.ts';

/** The NATS users of a stack: one for each sender, which may do what is its own, and one for the operator. */
export interface NatsUsers {
  users: NatsUser[];
  /** what a service needs to connect */
  environmentOf(sender: Sender): { NATS_NKEY_SEED: string };
}

/**
 * The users of a stack on this machine, whose keys are made at its first start and kept. The operator's seed stands in
 * `secrets/nats-operator.nk`, for a look into the streams; that user may do everything. The one of
 * `sluice-admin`, in `secrets/nats-sluice-admin.nk`, may do what that needs. A seed in `secrets/nats-<sender>.former.nk` is a second user of that sender, for the time of a rotation: replicas that
 * still have it stay connected.
 */
export async function keptNatsUsers(
  home: SecretsHome,
  namespace: string,
  senders: readonly Sender[],
  besideFormer = false,
): Promise<NatsUsers> {
  const names = topology(namespace);
  const seeds = new Map<Sender, string>();
  const formerSeeds: [Sender, string][] = [];
  for (const sender of senders) {
    const name = sender.replaceAll('/', '-');
    seeds.set(sender, await keptSeed(home, name));
    const former = await readIfPresent(home.path('secrets', `nats-${name}.former.nk`));
    if (former !== null) formerSeeds.push([sender, former.trim()]);
  }
  const everything = natsPublicKey(await keptSeed(home, 'operator'));
  const admin = natsPublicKey(await keptSeed(home, operator));
  const users = [...seeds, ...formerSeeds].map(([sender, seed]) => ({
    nkey: natsPublicKey(seed),
    permissions: natsPermissions(names, sender, besideFormer),
  }));
  return {
    users: [{ nkey: everything }, { nkey: admin, permissions: operatorPermissions(names) }, ...users],
    environmentOf: (sender) => ({ NATS_NKEY_SEED: seeds.get(sender) ?? '' }),
  };
}

/** With what `sluice-admin` connects to the NATS of a stack. */
export const operatorSeed = (home: SecretsHome) => keptSeed(home, operator);

const keptSeed = (home: SecretsHome, name: string) => keptSecret(home, `nats-${name}.nk`, newNatsSeed);
