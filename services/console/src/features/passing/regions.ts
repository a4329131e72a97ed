import { problem, type Log } from '@sluice/service';
import { z } from 'zod';
import { codeOf, type AskMainApi, type LayerAnswer } from '../../layers.ts';

export interface RegionsOptions {
  mainApi: AskMainApi;
  /** by `<cloud>/<region>`: where the console reaches a region, in place of what the Main API tells */
  own: ReadonlyMap<string, URL>;
  /** for how long addresses are kept, in milliseconds */
  keptMilliseconds: number;
  log: Log;
}

/** Who asks for a region: the Main API tells addresses to callers that it knows. */
export interface RegionCaller {
  cookie: string;
  address: string | undefined;
}

const contextSchema = z.object({
  regions: z.array(
    z.object({ cloud: z.string(), region: z.string(), supervisor_url: z.url({ protocol: /^https?$/ }) }),
  ),
});

/** a region that is not known is looked for again after this time: it may have registered just now */
const unknownMilliseconds = 2_000;

/** The addresses of the regions' supervisors: those of the settings, and else as the Main API tells them. No other is ever used. */
export class Regions {
  readonly #options: RegionsOptions;
  #known: ReadonlyMap<string, URL> = new Map();
  #readAt = -Infinity;

  constructor(options: RegionsOptions) {
    this.#options = options;
  }

  /** @throws Problem `not_found` for a region that has not registered, and what the Main API refuses the caller with */
  async find({ cloud, region }: { cloud: string; region: string }, caller: RegionCaller): Promise<URL> {
    const key = `${cloud}/${region}`;
    const own = this.#options.own.get(key);
    if (own) return own;
    const age = performance.now() - this.#readAt;
    const kept = this.#options.keptMilliseconds;
    const isFresh = age < (this.#known.has(key) ? kept : Math.min(unknownMilliseconds, kept));
    if (!isFresh) await this.#read(caller);
    const url = this.#known.get(key);
    if (!url) throw problem('not_found', { detail: `There is no region ${region} of ${cloud}.` });
    return url;
  }

  async #read(caller: RegionCaller): Promise<void> {
    try {
      const answer = await this.#options.mainApi({ path: '/context', ...caller });
      if (answer.status !== 200) throw refusalOf(answer);
      const { regions } = contextSchema.parse(answer.body);
      this.#known = new Map(
        regions.map(({ cloud, region, supervisor_url }) => [`${cloud}/${region}`, new URL(supervisor_url)]),
      );
      this.#readAt = performance.now();
    } catch (error) {
      // a region goes on without the Main API, at the address that it had; it checks the caller itself
      if (this.#known.size === 0) throw error;
      this.#options.log.warn('the addresses of regions could not be read anew', { error });
    }
  }
}

function refusalOf(answer: LayerAnswer) {
  switch (codeOf(answer)) {
    case 'unauthenticated':
      return problem('unauthenticated', { detail: 'The session has ended.' });
    case 'rate_limited':
      return problem('rate_limited');
    default:
      return problem('unavailable', { detail: 'The Main API does not tell where the region is.' });
  }
}
