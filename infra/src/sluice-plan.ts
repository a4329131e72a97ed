import { join } from 'node:path';
import { PaymentEmulator } from '@sluice/payment-emulator';
import { consolePlan } from './console/plan.ts';
import { settingNames } from './generated/setting-names.ts';
import type { Home } from './home.ts';
import { urlOf, type ServicePlan, type StackPlan } from './plan.ts';
import { commonServices, keptServiceSecrets, supervisorService } from './service-secrets.ts';
import { repository, type Settings } from './settings.ts';

const program = (...path: string[]) => join(repository, 'services', ...path);

/** below which deployments get their domains; main-api gives them, a supervisor serves them */
const baseDomain = 'sluice.localhost';

/** of the payment provider that charges no card: no secret */
const webhookSecret = 'whsec_sluice';

const regions = [
  { cloud: 'cloud_a', region: 'us-east-1', offset: 2 },
  { cloud: 'cloud_b', region: 'us-central1', offset: 3 },
];

/** The console connects from this machine, and says for whom it asks. */
const behindConsole = { TRUSTED_PROXIES: '127.0.0.1' };

/**
 * The services of Sluice, with one supervisor for each cloud.
 * @param webApp the folder with the console's files; without them there is no console
 * @param streamPage the folder with the page that nodes serve; without it they serve none
 */
export async function sluicePlan(
  { portBase }: Settings,
  home: Home,
  natsServer: string,
  webApp?: string,
  streamPage?: string,
): Promise<StackPlan> {
  const secrets = await keptServiceSecrets(home, regions);
  const consolePlace = {
    program: program('console/src/main.ts'),
    mainApiUrl: urlOf(portBase),
    auditUrl: urlOf(portBase + 1),
    ports: { console: portBase + 6, signIn: portBase + 7 },
  };
  const webConsole = webApp === undefined ? undefined : await consolePlan(home, webApp, consolePlace);
  const supervisors = regions.map(({ cloud, region, offset }): ServicePlan => {
    const { name, database } = supervisorService({ cloud, region });
    const port = portBase + offset;
    return {
      name,
      program: program('supervisor/src/main.ts'),
      settings: settingNames.supervisor,
      port,
      database,
      environment: {
        ...secrets.environmentOf(name),
        ...behindConsole,
        PUBLIC_URL: urlOf(port),
        AGENT_API_URL: urlOf(port),
        BASE_DOMAIN: baseDomain,
        CLOUD: cloud,
        REGION: region,
        COMPUTE_DRIVER: 'local',
        LOCAL_NODES_DIR: home.path('nodes', cloud),
        LOCAL_KEYS_DIR: home.path('node-keys', cloud),
        BACKUPS_DIR: home.path('backups', cloud),
        NATS_SERVER_PATH: natsServer,
        ...(streamPage !== undefined && { STREAM_PAGE_FILES: streamPage }),
        // elsewhere an interface has no more than one such address
        ...(process.platform === 'linux' && { GATEWAY_PRIVATE_HOST: '127.0.0.2' }),
        // the machine is the developer's own, and so are the servers that connectors are tried with
        CONNECTORS_ALLOWED: '127.0.0.0/8, ::1/128',
        // a first client needs nothing but its login
        BROKER_PLAIN_TEXT: 'true',
      },
    };
  });
  const [mainApi, audit, notifier] = commonServices;
  return {
    natsUsers: secrets.natsUsers,
    ports: { postgres: portBase + 10, nats: portBase + 11 },
    services: [
      {
        name: mainApi.name,
        program: program('main-api/src/main.ts'),
        settings: settingNames['main-api'],
        port: portBase,
        database: mainApi.database,
        environment: {
          ...secrets.environmentOf(mainApi.name),
          ...behindConsole,
          ...webConsole?.mainApiEnvironment,
          PUBLIC_URL: urlOf(portBase),
          AUDIT_URL: urlOf(portBase + 1),
          CATALOGUE_FILE: process.env['CATALOGUE_FILE'] ?? join(repository, 'infra/catalogue.yaml'),
          BASE_DOMAIN: baseDomain,
          // a card can be saved and charged; no deployment needs one
          BILLING_SELLER: JSON.stringify({ name: 'Example', address: ['This machine'], country: 'DE' }),
          PAYMENT_PROVIDER: 'test',
          PAYMENT_TEST_URL: urlOf(portBase + 5),
        },
      },
      {
        name: audit.name,
        program: program('audit/src/main.ts'),
        settings: settingNames.audit,
        port: portBase + 1,
        database: audit.database,
        writer: audit.writer,
        environment: {
          ...secrets.environmentOf(audit.name),
          ...behindConsole,
          PUBLIC_URL: urlOf(portBase + 1),
          // the machine is the developer's own, and so are the servers that sinks are tried with
          SINKS_ALLOWED: '127.0.0.0/8, ::1/128',
          SINKS_PLAIN_TEXT: 'true',
        },
      },
      ...supervisors,
      {
        name: notifier.name,
        program: program('notifier/src/main.ts'),
        settings: settingNames.notifier,
        port: portBase + 4,
        database: notifier.database,
        environment: {
          ...secrets.environmentOf(notifier.name),
          MAIN_API_URL: urlOf(portBase),
          MAIL_TRANSPORT: 'file',
          MAIL_DIR: home.path('mail'),
          MAIL_FROM: 'Sluice <no-reply@sluice.localhost>',
          // the machine is the developer's own, and so are the servers that channels are tried with
          NOTIFICATIONS_ALLOWED: '127.0.0.0/8, ::1/128',
        },
      },
      ...(webConsole ? [webConsole.service] : []),
    ],
    beside: [
      ...(webConsole ? [webConsole.signIn] : []),
      {
        name: 'test payments',
        port: portBase + 5,
        async start() {
          const file = home.path('test-payments.json');
          const webhookUrl = `${urlOf(portBase)}/billing/webhooks/test`;
          const emulator = new PaymentEmulator({ port: portBase + 5, file, webhookUrl, webhookSecret });
          await emulator.open();
          return emulator;
        },
      },
    ],
    seedProgram: program('main-api/src/seed.ts'),
    mainApi: mainApi.name,
    audit: audit.name,
    console: webConsole?.service.name,
    supervisors: regions.map(({ cloud, region }) => ({
      service: supervisorService({ cloud, region }).name,
      cloud,
      region,
    })),
  };
}
