import { createHash } from 'node:crypto';
import type { Job } from '@sluice/controller';
import { ConfigError, type Log } from '@sluice/service';
import { Gauge, type Registry } from '@prometheus-io/client';
import { catalogueSchema, parseCatalogue, readCatalogue, type Catalogue } from './catalogue.ts';

interface Watch {
  /** seconds between two looks */
  every: number;
  metrics: Registry;
  log: Log;
  /** called when a change has been taken over */
  changed?: () => void;
}

/**
 * The catalogue, also after its file has changed. The file is read and compared every few seconds, which notices every way of changing
 * one, on every file system, such as the links that Kubernetes exchanges. A text counts once it was the same twice: half of a file can be
 * a usable one. A file that is not usable is refused, and the former catalogue stays in force.
 */
export class LiveCatalogue {
  /** reads the catalogue in force at that moment, wherever it was handed to; each section is of one file */
  readonly view: Catalogue;
  readonly #file: string;
  #text: string;
  /** the text at the last look, or why there was none */
  #seen: string;
  #catalogue: Catalogue;

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#seen = text;
    this.#catalogue = parseCatalogue(file, text);
    this.view = sectionsOf(() => this.#catalogue);
  }

  /** @throws ConfigError as `loadCatalogue` does */
  static async open(file: string): Promise<LiveCatalogue> {
    return new LiveCatalogue(file, await readCatalogue(file));
  }

  /** Takes over what the file says from now on. */
  job({ every, metrics, log, changed }: Watch): Job {
    const says = gauges(metrics);
    let refusal: string | undefined;
    says.inForce(this.#text);
    const run = async () => {
      try {
        const found = await this.look();
        if (found === 'unsettled') return;
        if (found === 'changed') {
          says.inForce(this.#text);
          log.info('the catalogue has changed', { file: this.#file });
          changed?.();
        }
        refusal = undefined;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        if (error.message !== refusal)
          log.error('the changed catalogue is refused; the former one stays in force', { error });
        refusal = error.message;
      }
      says.refused(refusal !== undefined);
    };
    return { name: 'catalogue', every, run };
  }

  /**
   * Looks at the file, and takes over what it says if that is new and was the same the last time.
   * @throws ConfigError when what it says, twice, is not usable
   */
  async look(): Promise<'unchanged' | 'unsettled' | 'changed'> {
    const found = await readCatalogue(this.#file).catch((error: unknown) => {
      if (error instanceof ConfigError) return error;
      throw error;
    });
    const seen = typeof found === 'string' ? found : found.message;
    const settled = seen === this.#seen;
    this.#seen = seen;
    if (found === this.#text) return 'unchanged';
    if (!settled) return 'unsettled';
    if (typeof found !== 'string') throw found;
    this.#catalogue = parseCatalogue(this.#file, found);
    this.#text = found;
    return 'changed';
  }
}

function sectionsOf(present: () => Catalogue): Catalogue {
  const sections = Object.keys(catalogueSchema.shape) as (keyof Catalogue)[];
  const view = {};
  for (const section of sections)
    Object.defineProperty(view, section, { enumerable: true, get: () => present()[section] });
  return view as Catalogue;
}

function gauges(metrics: Registry) {
  const inForce = new Gauge({
    name: 'sluice_catalogue_in_force_since_seconds',
    help: 'When the catalogue in force was taken over, as Unix time, by the beginning of its SHA-256',
    labelNames: ['sha256'],
    registers: [metrics],
  });
  const refused = new Gauge({
    name: 'sluice_catalogue_refused',
    help: '1 while the catalogue file is not usable, and what was in force before stays so',
    registers: [metrics],
  });
  return {
    inForce(text: string) {
      inForce.reset();
      const sha256 = createHash('sha256').update(text).digest('hex').slice(0, 16);
      inForce.set({ sha256 }, Math.floor(Date.now() / 1000));
    },
    refused: (is: boolean) => refused.set(is ? 1 : 0),
  };
}
