import { createLog, readConfig } from '@sluice/service';
import { ServiceFixture, type Answer, type FixtureOptions, type TestReplica } from '@sluice/testing';
import { startMainApi } from '../src/app.ts';
import { mainApiEnvironment } from '../src/config.ts';
import { Mails } from './mails.ts';
import { Region } from './region.ts';
import { settings } from './settings.ts';
import { Tenants } from './tenants.ts';

type Clock = () => Date;

export interface MainApiOptions extends FixtureOptions {
  /** what the replicas take the time to be */
  clock?: Clock;
}

/** main-api under test, in two replicas unless told otherwise. */
export const mainApi = (options: MainApiOptions = {}) => new MainApi(options);

export class MainApi extends ServiceFixture {
  constructor({ clock, ...options }: MainApiOptions) {
    super(startAt(clock), { replicas: 2, ...options, environment: { ...settings, ...options.environment } });
  }

  /** Starts one more replica, with a clock of its own. */
  startAt(clock: Clock, more: Record<string, string> = {}): Promise<TestReplica> {
    return this.start(more, startAt(clock));
  }

  /** The region `cloud_a`/`us-east-1`, whose supervisor the test plays; it registers unless told not to. */
  region({ register = true } = {}): Region {
    const region = this.#part(new Region(this));
    if (register) this.onOpen(() => region.register());
    return region;
  }

  /** Reads the mails that main-api wants sent. */
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

/** The status and code of a refusal, to be compared at one glance. */
export const refusal = ({ status, body }: Answer) => [status, body['code']];

/** What was wrong with a request, as `/body/name too_short`. */
export function fieldIssues({ body }: Answer): string[] {
  const issues = (body['field_issues'] ?? []) as { path: string; code: string }[];
  return issues.map(({ path, code }) => `${path} ${code}`);
}

/** The items of a paginated list. */
export const itemsOf = ({ body }: Answer) => body['items'] as Record<string, unknown>[];
