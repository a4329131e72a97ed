import { isSender, operator } from '@sluice/contracts';
import { keySet, natsPublicKey, newNatsSeed, newSigningKey, publicKeyOf } from '@sluice/embedded';
import { hasSigningKeys } from './signing-keys.ts';

/**
 * `npm run --silent new-keys -- main-api`: makes the keys of a sender and prints them as JSON, once: `NATS_NKEY_SEED` and
 * `SIGNING_KEYS` for the service itself, `nkey` for `npm run nats-config`, and `trusted`, an entry of `TRUSTED_KEYS` of all
 * services. The notifier and `sluice-admin`, by which operators connect, sign nothing. A second argument prints one of the two alone.
 */

function keysOf(sender: string): Record<string, unknown> | undefined {
  if (!isSender(sender) && sender !== operator) return undefined;
  const NATS_NKEY_SEED = newNatsSeed();
  const nats = { NATS_NKEY_SEED, nkey: natsPublicKey(NATS_NKEY_SEED) };
  if (!isSender(sender) || !hasSigningKeys(sender)) return nats;
  const signing = newSigningKey(sender);
  return { NATS_NKEY_SEED, SIGNING_KEYS: keySet([signing]), nkey: nats.nkey, trusted: publicKeyOf(signing) };
}

const [sender = '', only, ...rest] = process.argv.slice(2);
const keys = keysOf(sender);
const one = only === undefined ? undefined : keys?.[only];
if (!keys || rest.length > 0 || (only !== undefined && typeof one !== 'string')) {
  console.error(
    'Usage: npm run --silent new-keys -- main-api | audit | notifier | supervisor/<cloud>/<region> | sluice-admin [NATS_NKEY_SEED | SIGNING_KEYS]',
  );
  process.exitCode = 1;
} else process.stdout.write(`${typeof one === 'string' ? one : JSON.stringify(keys, null, 2)}\n`);
