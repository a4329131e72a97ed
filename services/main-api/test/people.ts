import { Browser } from './browser.ts';
import { mainApi, type MainApi, type MainApiOptions } from './main-api.ts';
import type { Mails } from './mails.ts';
import { TestProvider, type Person } from './provider.ts';
import type { Region } from './region.ts';
import type { Tenants } from './tenants.ts';

/** Two replicas of main-api with an identity provider, and a listener to the events. */
export interface People {
  on: MainApi;
  provider: TestProvider;
  replica: ReturnType<MainApi['replica']>;
  second: ReturnType<MainApi['replica']>;
  region: Region;
  mails: Mails;
  a: Tenants;
  /** A new person who is signed in. */
  signedUp(person?: Person, input?: object): Promise<Browser>;
}

/**
 * Its hooks register themselves. The source `test` vouches for corporate addresses, `public` for public
 * ones; for those of `corp.test` the word of `corporate` is enough.
 */
export function people(options: MainApiOptions = {}): People {
  const on = mainApi(options);
  const provider = providerOf(on, (opened) => [
    opened.configuration('test'),
    opened.configuration('public', { public_email: true }),
    opened.configuration('corporate', { authority_for: ['corp.test'] }),
  ]);
  return {
    on,
    provider,
    replica: on.replica(0),
    second: on.replica(1),
    region: on.region(),
    mails: on.mails(),
    a: on.tenants(),
    async signedUp(person = provider.person(), input = {}) {
      const browser = new Browser(on.replica().url);
      const { status, body } = await browser.signUp(provider, person, input);
      if (status !== 201) throw new Error(`the sign-up was refused: ${status} ${JSON.stringify(body)}`);
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
