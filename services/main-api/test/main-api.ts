import { createLog, readConfig } from '@sluice/service';
import { client, ServiceFixture, type FixtureOptions, type TestReplica } from '@sluice/testing';
import { startMainApi } from '../src/app.ts';
import { mainApiEnvironment } from '../src/config.ts';
import { Mails } from './mails.ts';
import { Region } from './region.ts';
import { settings } from './settings.ts';
import { Tenants } from './tenants.ts';

export * from './answers.ts';

type Clock = () => Date;

export interface MainApiOptions extends FixtureOptions {
  /** what the replicas take the time to be */
  clock?: Clock;
}

/** main-api under test, in two replicas by default. */
export const mainApi = (options: MainApiOptions = {}) => new MainApi(options);

export class MainApi extends ServiceFixture {
  constructor({ clock, ...options }: MainApiOptions) {
    super(startAt(clock), { replicas: 2, ...options, environment: { ...settings, ...options.environment } });
  }

  /** Starts one more replica, with a clock of its own. */
  startAt(clock: Clock, more: Record<string, string> = {}): Promise<TestReplica> {
    return this.start(more, startAt(clock));
  }

  /** The region `cloud_a`/`us-east-1`, whose supervisor the test plays; by default it registers. */
  region({ register = true } = {}): Region {
    const region = this.#part(new Region(this));
    if (register) this.onOpen(() => region.register());
    return region;
  }

  /** The status that each replica answers to a token. */
  statuses(token: string, path: string): Promise<number[]> {
    return Promise.all(this.replicas.map(async ({ url }) => (await client(url, token).get(path)).status));
  }

  mails(): Mails {
    return new Mails(this);
  }

  /** Makes tenants, which call the first replica. */
  tenants(): Tenants {
    return this.#part(new Tenants(this));
  }

  #part<Part extends { open(): Promise<void>; close(): Promise<void> }>(part: Part): Part {
    this.onOpen(async () => {
      await part.open();
      this.onClose(() => part.close());
    });
    return part;
  }
}

function startAt(clock: Clock | undefined) {
  return (environment: Record<string, string>) => {
    const config = readConfig(mainApiEnvironment, environment);
    return startMainApi(config, createLog('main-api', config.LOG_LEVEL), clock);
  };
}
