import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { LookupShares } from './lookup-shares.ts';

/** How a lookup has ended. `oversized`: by thousands of addresses; `remembered`: it failed a moment ago; `crowded`: its owner had too many others under way. */
export type LookupOutcome = 'found' | 'oversized' | 'unknown' | 'unanswered' | 'remembered' | 'crowded';

export interface NameLookupOptions {
  /** `address` or `address:port` of the name servers to ask; default: those of the system */
  servers?: readonly string[] | undefined;
  /** whether short names are completed by the search domains of the system, as within a cluster or an office */
  searches: boolean;
  /** called at the end of each lookup that is not answered by this machine */
  onLookup?: ((outcome: LookupOutcome) => void) | undefined;
  /** files to read in place of the system's */
  files?: { hosts: string; resolver: string };
}

/** A name has no addresses now. */
export class NameNotFound extends Error {
  /** ENOTFOUND: it does not exist; EAI_AGAIN: that could not be found out */
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN';

  constructor(code: NameNotFound['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** of a lookup, with its wait for others of the same owner */
const longestMilliseconds = 2_000;
/** before a question is repeated */
const repeatMilliseconds = 600;
const mostRepetitions = 3;
/** what the answer for the other family may still take when there are addresses of one */
const graceMilliseconds = 250;
/** of each family that are used, and that a name may have */
const mostUsed = 16;
const mostAddresses = 64;
/** reading thousands of addresses takes c-ares 20 ms of the event loop: such a name is not asked for again soon */
const oversizedMilliseconds = 10 * 60_000;
const mostSearches = 6;
const failuresRemembered = { maxSize: 5_000, sizeCalculation: () => 1, ttl: 5_000 };
const systemFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };

/**
 * Finds the addresses of names that tenants choose. It asks name servers itself: `getaddrinfo` occupies a thread of the process
 * until the name server answers, and there are four. Each lookup has a resolver of its own, so that it can be cancelled alone and
 * its answers cannot be guessed by the port of an earlier one.
 */
export class NameLookup {
  readonly #options: Required<Pick<NameLookupOptions, 'searches' | 'files'>> & NameLookupOptions;
  readonly #shares = new LookupShares();
  readonly #failures = new LRUCache<string, NameNotFound>(failuresRemembered);

  constructor(options: NameLookupOptions) {
    this.#options = { files: systemFiles, ...options };
    // an address that is none is reported at the start
    if (options.servers) new Resolver().setServers(options.servers);
  }

  /**
   * The addresses of `name`, those of a family that this machine has first. `owner` is whose share the lookup uses.
   * @throws NameNotFound
   */
  async find(name: string, owner: string, milliseconds = longestMilliseconds): Promise<LookupAddress[]> {
    const wanted = name.toLowerCase();
    const local = await this.#ofThisMachine(wanted.replace(/\.$/, ''));
    if (local.length > 0) return local;
    const { onLookup } = this.#options;
    try {
      const found = await this.#ask(wanted, owner, milliseconds);
      onLookup?.('found');
      return preferred(found);
    } catch (error) {
      onLookup?.(error instanceof LookupFailed ? error.outcome : 'unanswered');
      throw error;
    }
  }

  async #ask(name: string, owner: string, milliseconds: number): Promise<LookupAddress[]> {
    const before = this.#failures.get(name);
    if (before) throw new LookupFailed('remembered', before.code, before.message);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), milliseconds);
    try {
      let begun = Infinity;
      const found = await this.#shares.run(owner, deadline.signal, () => {
        begun = performance.now();
        return this.#lookUp(name, deadline.signal);
      });
      if (found) return found;
      // what had little of its time after it waited says nothing about the name
      const isCutShort = deadline.signal.aborted && performance.now() - begun < milliseconds / 2;
      if (begun === Infinity || isCutShort)
        throw new LookupFailed('crowded', 'EAI_AGAIN', 'too many names are looked up at the same time');
      throw new LookupFailed('unanswered', 'EAI_AGAIN', `the name ${name} cannot be looked up`);
    } catch (error) {
      if (error instanceof LookupFailed && error.outcome !== 'crowded')
        this.#failures.set(name, error, error.outcome === 'oversized' ? { ttl: oversizedMilliseconds } : {});
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Undefined where name servers do not answer, or not properly. @throws LookupFailed for a name that is not known, or is too large */
  async #lookUp(name: string, deadline: AbortSignal): Promise<LookupAddress[] | undefined> {
    const resolver = new Resolver({ timeout: repeatMilliseconds, tries: mostRepetitions });
    const { servers } = this.#options;
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    deadline.addEventListener('abort', cancel, { once: true });
    let isUnknown = true;
    for (const candidate of await this.#candidates(name)) {
      // what is asked after a cancellation would have its own time
      if (deadline.aborted) break;
      const { found, isKnownToBeNone, isOversized } = await bothFamilies(resolver, candidate);
      if (isOversized)
        throw new LookupFailed('oversized', 'EAI_AGAIN', `the name ${name} has too many addresses`);
      if (found.length > 0) return found;
      isUnknown &&= isKnownToBeNone;
    }
    if (!isUnknown || deadline.aborted) return undefined;
    throw new LookupFailed('unknown', 'ENOTFOUND', `the name ${name} is not known`);
  }

  /** What the hosts file says; names of this machine itself are never asked for elsewhere (RFC 6761, 6.3). */
  async #ofThisMachine(name: string): Promise<LookupAddress[]> {
    const text = await readFile(this.#options.files.hosts, 'utf8').catch(() => '');
    const found = wordsOf(text).flatMap(([address = '', ...names]) =>
      names.some((other) => other.toLowerCase() === name) ? addressOf(address) : [],
    );
    if (found.length > 0) return preferred(found);
    return /(^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'].map(addressOf) : [];
  }

  /** The names that `name` can mean, in the order of resolv.conf(5). */
  async #candidates(name: string): Promise<string[]> {
    const written = name.replace(/\.$/, '');
    if (!this.#options.searches || written !== name) return [written];
    const lines = wordsOf(await readFile(this.#options.files.resolver, 'utf8').catch(() => ''));
    const searches = lines.findLast(([key = '']) => ['search', 'domain'].includes(key))?.slice(1) ?? [];
    const options = lines.filter(([key]) => key === 'options').flat();
    const dots = Number(options.findLast((option) => option.startsWith('ndots:'))?.slice(6) ?? 1);
    const completed = searches.slice(0, mostSearches).map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
    return name.split('.').length > dots ? [name, ...completed] : [...completed, name];
  }
}

class LookupFailed extends NameNotFound {
  readonly outcome: LookupOutcome;

  constructor(outcome: LookupOutcome, code: NameNotFound['code'], message: string) {
    super(code, message);
    this.outcome = outcome;
  }
}

/** Asks for addresses of IPv4 and IPv6 at once; one that fails or hangs leaves the other. */
async function bothFamilies(resolver: Resolver, name: string) {
  const enough = new AbortController();
  let isOversized = false;
  const ask = async (asked: Promise<string[]>) => {
    const found = await asked;
    if (found.length > 0)
      void sleep(graceMilliseconds, undefined, { signal: enough.signal }).then(
        () => resolver.cancel(),
        () => undefined,
      );
    isOversized ||= found.length > mostAddresses;
    return found.slice(0, mostUsed).map(addressOf);
  };
  const answers = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
  enough.abort();
  return {
    isOversized,
    found: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    isKnownToBeNone: answers.every(
      (answer) => answer.status === 'fulfilled' || none.includes((answer.reason as { code?: string }).code),
    ),
  };
}

const none: unknown[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

const addressOf = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** Lines without their comments, as words. */
const wordsOf = (text: string) =>
  text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );

/** IPv4 first, unless this machine has IPv6 alone: clients that take one address take the first. */
function preferred(found: readonly LookupAddress[]): LookupAddress[] {
  const outward = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.filter(({ internal }) => !internal).map(({ family }) => family) ?? [],
  );
  const first = outward.includes('IPv6') && !outward.includes('IPv4') ? 6 : 4;
  const { true: own = [], false: others = [] } = Object.groupBy(found, ({ family }) => `${family === first}`);
  return [...own, ...others];
}
