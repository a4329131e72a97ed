import { Browser } from './browser.ts';
import { itemsOf, listOf, mainApi, type MainApi, type MainApiOptions } from './main-api.ts';
import type { Mails } from './mails.ts';
import { TestProvider, type Person } from './provider.ts';
import type { Region } from './region.ts';
import type { Tenants, TestTenant } from './tenants.ts';

/** Two replicas of main-api with an identity provider, and a listener to the events. */
export interface People {
  on: MainApi;
  provider: TestProvider;
  replica: ReturnType<MainApi['replica']>;
  second: ReturnType<MainApi['replica']>;
  region: Region;
  mails: Mails;
  a: Tenants;
  /** The browser of a person who has just signed up; by default a new one. */
  signedUp(person?: Person, input?: object): Promise<Browser>;
  /** The same, who has founded the tenant Acme. */
  founder(person?: Person): Promise<{ owner: Browser; id: number; path: string }>;
  /** The same, who has accepted the invitation of a tenant with these roles. */
  joined(acme: TestTenant, roles: number[], person?: Person): Promise<Browser>;
}

/**
 * Its hooks register themselves. The source `test` vouches for corporate addresses, `public` for public ones, and
 * `corporate` alone decides about addresses of `corp.test`.
 */
export function people(options: MainApiOptions = {}): People {
  const on = mainApi(options);
  const provider = providerOf(on, (opened) => [
    opened.configuration('test'),
    opened.configuration('public', { public_email: true }),
    opened.configuration('corporate', { authority_for: ['corp.test'] }),
  ]);
  const signedUp: People['signedUp'] = async (person = provider.person(), input = {}) => {
    const browser = new Browser(on.replica().url);
    const { status, body } = await browser.signUp(provider, person, input);
    if (status !== 201) throw new Error(`the sign-up was refused: ${status} ${JSON.stringify(body)}`);
    return browser;
  };
  return {
    on,
    provider,
    replica: on.replica(0),
    second: on.replica(1),
    region: on.region(),
    mails: on.mails(),
    a: on.tenants(),
    signedUp,
    async founder(person) {
      const owner = await signedUp(person, { tenant: { name: 'Acme' } });
      const id = Number(itemsOf(await owner.get('/tenants'))[0]?.['id']);
      return { owner, id, path: `/tenants/${id}` };
    },
    async joined(acme, roles, person = provider.person()) {
      await acme.admin.post(`${acme.path}/invitations`, { email: person.email, roles });
      const browser = await signedUp(person);
      const [invitation] = listOf(await browser.get('/account/invitations'));
      await browser.put(`/account/invitations/${Number(invitation?.['id'])}/accept`);
      return browser;
    },
  };
}

/** A provider that is there before main-api starts, and how main-api knows it. */
export function providerOf(on: MainApi, configured: (provider: TestProvider) => object[]): TestProvider {
  const provider = new TestProvider();
  on.beforeStart(async () => {
    await provider.open();
    on.onClose(() => provider.close());
    on.environment['OIDC_PROVIDERS'] = JSON.stringify(configured(provider));
  });
  return provider;
}
