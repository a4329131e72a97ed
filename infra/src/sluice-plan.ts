import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Home } from './home.ts';
import { urlOf, type ServicePlan, type StackPlan } from './plan.ts';
import { keptSecret, keptSigningKey, publicKeySet } from './secrets.ts';
import { repository, type Settings } from './settings.ts';

const program = (...path: string[]) => join(repository, 'services', ...path);

/** below which deployments get their domains; main-api gives them, a supervisor serves them */
const baseDomain = 'sluice.localhost';

const regions = [
  { cloud: 'cloud_a', region: 'us-east-1', offset: 2 },
  { cloud: 'cloud_b', region: 'us-central1', offset: 3 },
];

/** The services of Sluice, with one supervisor for each cloud. */
export async function sluicePlan({ portBase }: Settings, home: Home, natsServer: string): Promise<StackPlan> {
  const signingKeys = await keptSigningKey(home, 'main-api');
  const TRUSTED_KEYS = publicKeySet([signingKeys]);
  const supervisors = await Promise.all(
    regions.map(async ({ cloud, region, offset }): Promise<ServicePlan> => {
      const port = portBase + offset;
      return {
        name: `supervisor-${cloud}`,
        program: program('supervisor/src/main.ts'),
        port,
        database: `supervisor_${cloud}`,
        environment: {
          PUBLIC_URL: urlOf(port),
          AGENT_API_URL: urlOf(port),
          BASE_DOMAIN: baseDomain,
          CLOUD: cloud,
          REGION: region,
          TRUSTED_KEYS,
          SECRETS_KEYS: await keptSecret(home, `supervisor-${cloud}.keys`, newSecretsKey),
          COMPUTE_DRIVER: 'local',
          LOCAL_NODES_DIR: home.path('nodes', cloud),
          NATS_SERVER_PATH: natsServer,
        },
      };
    }),
  );
  const mailKeys = await keptSecret(home, 'mail.keys', newSecretsKey);
  return {
    ports: { postgres: portBase + 10, nats: portBase + 11 },
    services: [
      {
        name: 'main-api',
        program: program('main-api/src/main.ts'),
        port: portBase,
        database: 'main_api',
        environment: {
          PUBLIC_URL: urlOf(portBase),
          CATALOGUE_FILE: join(repository, 'infra/catalogue.yaml'),
          BASE_DOMAIN: baseDomain,
          MAIL_KEYS: mailKeys,
          SIGNING_KEYS: signingKeys,
          TRUSTED_KEYS,
          PROTECTION_KEY: await keptSecret(home, 'protection.key', newKey),
        },
      },
      {
        name: 'audit',
        program: program('audit/src/main.ts'),
        port: portBase + 1,
        database: 'audit',
        environment: { PUBLIC_URL: urlOf(portBase + 1), TRUSTED_KEYS },
      },
      ...supervisors,
      {
        name: 'notifier',
        program: program('notifier/src/main.ts'),
        port: portBase + 4,
        database: 'notifier',
        environment: {
          MAIL_TRANSPORT: 'file',
          MAIL_DIR: home.path('mail'),
          TRUSTED_KEYS,
          MAIL_FROM: 'Sluice <no-reply@sluice.localhost>',
          MAIL_KEYS: mailKeys,
        },
      },
    ],
    seedProgram: program('main-api/src/seed.ts'),
    mainApi: 'main-api',
    audit: 'audit',
    supervisors: regions.map(({ cloud, region }) => ({ service: `supervisor-${cloud}`, cloud, region })),
  };
}

const newKey = () => randomBytes(32).toString('base64');
const newSecretsKey = () => `${randomBytes(4).toString('hex')}:${newKey()}`;
