import { randomBytes } from 'node:crypto';
import { supervisorOf, type Sender } from '@sluice/contracts';
import { natsConfiguration } from '@sluice/embedded';
import { keptNatsUsers, operatorSeed } from '../nats-users.ts';
import { keptSecret, type SecretsHome } from '../secrets.ts';
import { newKey, newSecretsKey } from '../service-secrets.ts';
import { keptSigningKeys } from '../signing-keys.ts';

/** A Secret of Kubernetes, as `kubectl apply` takes it. */
export interface KubernetesSecret {
  apiVersion: 'v1';
  kind: 'Secret';
  metadata: { name: string; namespace: string };
  stringData: Record<string, string>;
}

export interface InstallationSecrets {
  namespace: string;
  regions: readonly { cloud: string; region: string }[];
  /** `<host>:<port>` of PostgreSQL */
  postgresql: string;
  /** where the Secrets are that say who may enter PostgreSQL and NATS; by default that of the example */
  dataNamespace?: string;
  smtpUrl: string;
  /** whether services of the release before run beside those of this one */
  upgrading: boolean;
}

/** Where the example for a cluster without servers of its own has them. */
export const exampleNamespace = 'sluice-data';
/** as many NATS servers as the example has */
const natsServers = [0, 1, 2];

const regionNamespace = ({ cloud, region }: { cloud: string; region: string }) =>
  `sluice-${cloud.replaceAll('_', '-')}-${region}`;

/**
 * The Secrets of an installation: of each service in its namespace, a key for each setting, of the admin pod, and those of the servers
 * in `k8s/examples/data`. What is made once is kept in `home` and the same the next time, so regions can be added.
 */
export async function kubernetesSecrets(
  home: SecretsHome,
  {
    namespace,
    regions,
    postgresql,
    dataNamespace = exampleNamespace,
    smtpUrl,
    upgrading,
  }: InstallationSecrets,
): Promise<KubernetesSecret[]> {
  const senders: Sender[] = ['main-api', 'audit', 'notifier', ...regions.map(supervisorOf)];
  const nats = await keptNatsUsers(home, namespace, senders, upgrading);
  const signing = await keptSigningKeys(home, senders, upgrading);
  const databases: Record<string, string> = {};
  const admin: Record<string, string> = { NATS_NKEY_SEED: await operatorSeed(home) };
  const ofService = async (sender: Sender, name: string, space: string, more: Record<string, string>) => {
    const database = sender.replaceAll(/[/-]/g, '_');
    const password = await keptSecret(home, `${database}.database`, newPassword);
    databases[database] = password;
    const DATABASE_URL = `postgresql://${database}:${password}@${postgresql}/${database}`;
    admin[`DATABASE_URL.${sender.replaceAll(/[/_]/g, '-')}`] = DATABASE_URL;
    return secret(name, space, {
      DATABASE_URL,
      ...nats.environmentOf(sender),
      ...signing.environmentOf(sender),
      ...more,
    });
  };
  const MAIL_KEYS = await keptSecret(home, 'mail.keys', newSecretsKey);
  const writerPassword = await keptSecret(home, 'audit.database-writer', newPassword);
  databases['audit.writer'] = writerPassword;
  const services = [
    await ofService('main-api', 'main-api', 'sluice', {
      SECRETS_KEYS: await keptSecret(home, 'main-api.keys', newSecretsKey),
      MAIL_KEYS,
      PROTECTION_KEY: await keptSecret(home, 'protection.key', newKey),
    }),
    await ofService('audit', 'audit', 'sluice', {
      DATABASE_WRITER_URL: `postgresql://audit_writer:${writerPassword}@${postgresql}/audit`,
      SECRETS_KEYS: await keptSecret(home, 'audit.keys', newSecretsKey),
    }),
    await ofService('notifier', 'notifier', 'sluice', {
      SECRETS_KEYS: await keptSecret(home, 'notifier.keys', newSecretsKey),
      MAIL_KEYS,
      SMTP_URL: smtpUrl,
    }),
  ];
  for (const region of regions) {
    const sender = supervisorOf(region);
    const keys = `${sender.replaceAll('/', '-')}.keys`;
    const SECRETS_KEYS = await keptSecret(home, keys, newSecretsKey);
    services.push(await ofService(sender, 'supervisor', regionNamespace(region), { SECRETS_KEYS }));
  }
  return [
    ...services,
    secret('admin', 'sluice', admin),
    secret('databases', dataNamespace, databases),
    secret('postgresql', dataNamespace, {
      password: await keptSecret(home, 'postgresql.superuser', newPassword),
    }),
    secret('nats', dataNamespace, {
      'users.conf': natsConfiguration(nats.users),
      'cluster.conf': clusterConfiguration(await keptSecret(home, 'nats.routes', newPassword)),
    }),
  ];
}

const newPassword = () => randomBytes(24).toString('base64url');

const secret = (name: string, namespace: string, stringData: Record<string, string>): KubernetesSecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  stringData,
});

/** How the NATS servers of the example find each other, and know that it is one of them. */
function clusterConfiguration(password: string): string {
  const routes = natsServers.map((number) => `nats://routes:${password}@nats-${number}.nats-servers:6222`);
  return `${JSON.stringify({
    cluster: {
      name: 'sluice',
      port: 6222,
      no_advertise: true,
      authorization: { user: 'routes', password },
      routes,
    },
  })}\n`;
}
