import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { supervisorOf, type Sender } from '@sluice/contracts';
import { settingNames } from './generated/setting-names.ts';
import type { Home } from './home.ts';
import { keptNatsUsers } from './nats-users.ts';
import { namespace, urlOf, type ServicePlan, type StackPlan } from './plan.ts';
import { keptSecret } from './secrets.ts';
import { keptSigningKeys } from './signing-keys.ts';
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
  const senders: Sender[] = ['main-api', 'audit', 'notifier', ...regions.map(supervisorOf)];
  const nats = await keptNatsUsers(home, namespace, senders);
  const signing = await keptSigningKeys(home, senders);
  const speaks = (sender: Sender) => ({ ...nats.environmentOf(sender), ...signing.environmentOf(sender) });
  const supervisors = await Promise.all(
    regions.map(async ({ cloud, region, offset }): Promise<ServicePlan> => {
      const port = portBase + offset;
      return {
        name: `supervisor-${cloud}`,
        program: program('supervisor/src/main.ts'),
        settings: settingNames.supervisor,
        port,
        database: `supervisor_${cloud}`,
        environment: {
          ...speaks(supervisorOf({ cloud, region })),
          PUBLIC_URL: urlOf(port),
          AGENT_API_URL: urlOf(port),
          BASE_DOMAIN: baseDomain,
          CLOUD: cloud,
          REGION: region,
          SECRETS_KEYS: await keptSecret(home, `supervisor-${cloud}.keys`, newSecretsKey),
          COMPUTE_DRIVER: 'local',
          LOCAL_NODES_DIR: home.path('nodes', cloud),
          NATS_SERVER_PATH: natsServer,
          // the machine is the developer's own, and so are the servers that connectors are tried with
          CONNECTORS_ALLOWED: '127.0.0.0/8, ::1/128',
          // a first client needs nothing but its login
          BROKER_PLAIN_TEXT: 'true',
        },
      };
    }),
  );
  const mailKeys = await keptSecret(home, 'mail.keys', newSecretsKey);
  return {
    natsUsers: nats.users,
    ports: { postgres: portBase + 10, nats: portBase + 11 },
    services: [
      {
        name: 'main-api',
        program: program('main-api/src/main.ts'),
        settings: settingNames['main-api'],
        port: portBase,
        database: 'main_api',
        environment: {
          ...speaks('main-api'),
          PUBLIC_URL: urlOf(portBase),
          CATALOGUE_FILE: join(repository, 'infra/catalogue.yaml'),
          BASE_DOMAIN: baseDomain,
          SECRETS_KEYS: await keptSecret(home, 'main-api.keys', newSecretsKey),
          MAIL_KEYS: mailKeys,
          PROTECTION_KEY: await keptSecret(home, 'protection.key', newKey),
        },
      },
      {
        name: 'audit',
        program: program('audit/src/main.ts'),
        settings: settingNames.audit,
        port: portBase + 1,
        database: 'audit',
        environment: { ...speaks('audit'), PUBLIC_URL: urlOf(portBase + 1) },
      },
      ...supervisors,
      {
        name: 'notifier',
        program: program('notifier/src/main.ts'),
        settings: settingNames.notifier,
        port: portBase + 4,
        database: 'notifier',
        environment: {
          ...speaks('notifier'),
          MAIL_TRANSPORT: 'file',
          MAIL_DIR: home.path('mail'),
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
