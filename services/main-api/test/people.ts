import { Browser } from './browser.ts';
import { startReplica, surroundings, type Replica, type Surroundings } from './main-api.ts';
import { Mails } from './mails.ts';
import { TestProvider, type Person } from './provider.ts';
import { Region } from './region.ts';
import { Tenants } from './tenants.ts';

/** Two replicas of main-api with an identity provider, and somebody who listens to the events. */
export interface People {
  around: Surroundings;
  provider: TestProvider;
  replica: Replica;
  second: Replica;
  region: Region;
  mails: Mails;
  a: Tenants;
  /** Somebody new who is signed in: as this person, or anybody. */
  signedUp(person?: Person, input?: object): Promise<Browser>;
  end(): Promise<void>;
}

/** Opens it all. The source `test` vouches for corporate addresses, `public` for public ones. */
export async function people(clock?: () => Date): Promise<People> {
  const around = await surroundings();
  const provider = await TestProvider.open();
  around.environment['OIDC_PROVIDERS'] = JSON.stringify([
    provider.configuration('test'),
    provider.configuration('public', { public_email: true }),
  ]);
  const [replica, second] = await Promise.all([
    startReplica(around, {}, clock),
    startReplica(around, {}, clock),
  ]);
  const region = await Region.open(around);
  const mails = await Mails.open(around);
  const a = await Tenants.open(around, replica);
  return {
    around,
    provider,
    replica,
    second,
    region,
    mails,
    a,
    async signedUp(person = provider.person(), input = {}) {
      const browser = new Browser(replica.url);
      const { status, body } = await browser.signUp(provider, person, input);
      if (status !== 201) throw new Error(`the sign-up was refused: ${status} ${JSON.stringify(body)}`);
      return browser;
    },
    async end() {
      await a.close();
      await mails.close();
      await region.close();
      await Promise.all([replica.stop(), second.stop()]);
      await provider.close();
      await around.end();
    },
  };
}
