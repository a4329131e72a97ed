import { randomBytes } from 'node:crypto';
import { LocalSignIn } from '@sluice/local-sign-in';
import { settingNames } from '../generated/setting-names.ts';
import type { Home } from '../home.ts';
import { urlOf, type ServerPlan, type ServicePlan } from '../plan.ts';
import { keptSecret } from '../secrets.ts';

/** What a stack on this machine has for the console, beside the services that it has without one. */
export interface ConsolePlan {
  service: ServicePlan;
  signIn: ServerPlan;
  /** what main-api needs to know of it */
  mainApiEnvironment: Record<string, string>;
}

export interface ConsolePlace {
  program: string;
  mainApiUrl: string;
  auditUrl: string;
  /** of the console, and of the provider that people sign in with */
  ports: { console: number; signIn: number };
}

/** @param folder the files of its web app */
export async function consolePlan(home: Home, folder: string, place: ConsolePlace): Promise<ConsolePlan> {
  const { ports, mainApiUrl, auditUrl, program } = place;
  const url = urlOf(ports.console);
  const callback = `${url}/sign-in/callback`;
  const client = {
    clientId: 'sluice',
    clientSecret: await keptSecret(home, 'local-sign-in.client', () => randomBytes(24).toString('base64url')),
  };
  const provider = {
    source: 'local',
    title: 'this machine',
    issuer: urlOf(ports.signIn),
    client_id: client.clientId,
    client_secret: client.clientSecret,
  };
  // the owner is there from the first start
  const known = new Set<string>(['owner']);
  return {
    service: {
      name: 'console',
      program,
      settings: settingNames.console,
      port: ports.console,
      environment: {
        PUBLIC_URL: url,
        MAIN_API_URL: mainApiUrl,
        AUDIT_URL: auditUrl,
        CONSOLE_FILES: folder,
      },
    },
    signIn: {
      name: 'local sign-in',
      port: ports.signIn,
      async start(seed) {
        const server = new LocalSignIn({
          ...client,
          port: ports.signIn,
          redirectUris: [callback, `${mainApiUrl}/account/auth/callback`],
          prepare: async ({ subject, email, name }) => {
            if (known.has(subject)) return;
            await seed({ SEED_MEMBER_EMAIL: email, SEED_MEMBER_NAME: name, SEED_MEMBER_ROLE: subject });
            known.add(subject);
          },
        });
        await server.open();
        return server;
      },
    },
    mainApiEnvironment: {
      CONSOLE_URL: url,
      SIGN_IN_CALLBACK_URL: callback,
      DEVICE_PAGE_URL: `${url}/account/device`,
      OIDC_PROVIDERS: process.env['OIDC_PROVIDERS'] ?? JSON.stringify([provider]),
    },
  };
}
