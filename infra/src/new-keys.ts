import { isSender, operator } from '@sluice/contracts';
import { keySet, natsPublicKey, newNatsSeed, newSigningKey, publicKeyOf } from '@sluice/embedded';
import { hasSigningKeys } from './signing-keys.ts';

/**
 * `npm run --silent new-keys -- main-api`: makes the keys of a sender and prints them as JSON, once: `NATS_NKEY_SEED` and
 * `SIGNING_KEYS` for the service itself, `nkey` for `npm run nats-config`, and `trusted`, an entry of `TRUSTED_KEYS` of all
 * services. The notifier and `sluice-admin`, by which operators connect, sign nothing.
 */

const [sender = ''] = process.argv.slice(2);
if (isSender(sender) && hasSigningKeys(sender)) {
  const NATS_NKEY_SEED = newNatsSeed();
  const signing = newSigningKey(sender);
  const keys = {
    NATS_NKEY_SEED,
    SIGNING_KEYS: keySet([signing]),
    nkey: natsPublicKey(NATS_NKEY_SEED),
    trusted: publicKeyOf(signing),
  };
  process.stdout.write(`${JSON.stringify(keys, null, 2)}\n`);
} else if (isSender(sender) || sender === operator) {
  const NATS_NKEY_SEED = newNatsSeed();
  process.stdout.write(
    `${JSON.stringify({ NATS_NKEY_SEED, nkey: natsPublicKey(NATS_NKEY_SEED) }, null, 2)}\n`,
  );
} else {
  console.error(
    'Usage: npm run --silent new-keys -- main-api | audit | notifier | supervisor/<cloud>/<region> | sluice-admin',
  );
  process.exitCode = 1;
}
