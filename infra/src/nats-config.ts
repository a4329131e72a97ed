import { parseArgs } from 'node:util';
import { isSender, natsPermissions, operator, operatorPermissions, topology } from '@sluice/contracts';
import { natsConfiguration } from '@sluice/embedded';

/**
 * `npm run --silent nats-config -- main-api=U… audit=U… notifier=U… supervisor/cloud_a/us-east-1=U…`: prints the users of
 * a nats-server for an installation, each with what is its own to say and to read, by their public NKeys. A sender that
 * is named twice has two keys, as while one replaces the other. `sluice-admin` is the user of operators. `--namespace` is `NATS_NAMESPACE`.
 * With `--upgrading` services of the release before may do what they did, beside those of this one.
 */

const usage =
  'Usage: npm run --silent nats-config -- [--namespace sluice] [--upgrading] <sender>=<public NKey>…';
const { values, positionals } = parseArgs({
  options: {
    namespace: { type: 'string', default: 'sluice' },
    upgrading: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const names = topology(values.namespace);

function userOf(argument: string) {
  const [sender = '', nkey = '', ...rest] = argument.split('=');
  if (rest.length === 0 && /^U[A-Z2-7]{55}$/.test(nkey)) {
    if (sender === operator) return { nkey, permissions: operatorPermissions(names) };
    if (isSender(sender)) return { nkey, permissions: natsPermissions(names, sender, values.upgrading) };
  }
  throw new Error(`${argument} is not a sender with its public NKey.\n${usage}`);
}

try {
  if (positionals.length === 0) throw new Error(usage);
  process.stdout.write(natsConfiguration(positionals.map(userOf)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
