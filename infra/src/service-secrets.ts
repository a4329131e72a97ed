import { randomBytes } from 'node:crypto';
import { supervisorOf, type Sender } from '@sluice/contracts';
import type { NatsUser } from '@sluice/embedded';
import { keptNatsUsers } from './nats-users.ts';
import { namespace } from './plan.ts';
import { keptSecret, type SecretsHome } from './secrets.ts';
import { keptSigningKeys } from './signing-keys.ts';

/** A service with secrets of its own, and as whom it speaks to the others. */
export interface Secretive {
  name: string;
  sender: Sender;
}

/** A region that a supervisor of the installation serves. */
export interface Region {
  cloud: string;
  region: string;
}

/** The services that every installation has. */
export const commonServices = [
  { name: 'main-api', sender: 'main-api', database: 'main_api' },
  { name: 'audit', sender: 'audit', database: 'audit', writer: 'audit_writer' },
  { name: 'notifier', sender: 'notifier', database: 'notifier' },
] as const;

export const supervisorService = ({ cloud, region }: Region) => ({
  name: `supervisor-${cloud}`,
  sender: supervisorOf({ cloud, region }),
  database: `supervisor_${cloud}`,
});

/** The secrets of an installation on this machine, made at its first start and kept. */
export interface ServiceSecrets {
  /** who may connect to NATS */
  natsUsers: NatsUser[];
  /** the secret settings of a service, by their variables */
  environmentOf(name: string): Record<string, string>;
}

export async function keptServiceSecrets(
  home: SecretsHome,
  regions: readonly Region[],
): Promise<ServiceSecrets> {
  const supervisors = regions.map(supervisorService);
  const services: readonly Secretive[] = [...commonServices, ...supervisors];
  const senders = services.map(({ sender }) => sender);
  const nats = await keptNatsUsers(home, namespace, senders);
  const signing = await keptSigningKeys(home, senders);
  const MAIL_KEYS = await keptSecret(home, 'mail.keys', newSecretsKey);
  const more = new Map<string, Record<string, string>>([
    [
      'main-api',
      {
        SECRETS_KEYS: await keptSecret(home, 'main-api.keys', newSecretsKey),
        MAIL_KEYS,
        PROTECTION_KEY: await keptSecret(home, 'protection.key', newKey),
      },
    ],
    ['audit', { SECRETS_KEYS: await keptSecret(home, 'audit.keys', newSecretsKey) }],
    ['notifier', { MAIL_KEYS, SECRETS_KEYS: await keptSecret(home, 'notifier.keys', newSecretsKey) }],
  ]);
  for (const { name } of supervisors)
    more.set(name, { SECRETS_KEYS: await keptSecret(home, `${name}.keys`, newSecretsKey) });
  const settings = new Map(
    services.map(({ name, sender }): [string, Record<string, string>] => [
      name,
      { ...nats.environmentOf(sender), ...signing.environmentOf(sender), ...more.get(name) },
    ]),
  );
  return { natsUsers: nats.users, environmentOf: (name) => settings.get(name) ?? {} };
}

export const newKey = () => randomBytes(32).toString('base64');
export const newSecretsKey = () => `${randomBytes(4).toString('hex')}:${newKey()}`;
