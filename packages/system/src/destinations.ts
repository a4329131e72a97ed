import type { LookupAddress } from 'node:dns';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { parseAddress, parseBlock, type Address } from './addresses.ts';
import { NameLookup, NameNotFound, type NameLookupOptions } from './name-lookup.ts';

export type { LookupOutcome } from './name-lookup.ts';

/**
 * Destinations that a customer names. They do so from our machines, so that the customer would otherwise
 * reach what trusts these: their own programs, neighbours on the link, the cloud's metadata with the machine's identity.
 */
export interface Destinations {
  /** @throws DestinationRefused for an address that may not be connected to; names are looked at when they are resolved */
  check(host: string): void;
  /** The same, for names as well, by what they are resolved to now; one whose addresses are not found within half a second passes. */
  checkNow(host: string): Promise<void>;
  /** resolves a name to those of its addresses that may be connected to, for `net.connect` and all that is built on it */
  lookup: LookupFunction;
  /** The same rules; lookups of names count against the share of `owner`, such as a tenant. */
  of(owner: string): Destinations;
  /** a socket that connects nowhere else, for clients that take one */
  socket(): Socket;
}

export interface DestinationRules extends Pick<NameLookupOptions, 'servers' | 'onLookup' | 'files'> {
  /** who connects, in what people read */
  who: string;
  /** `networks`: also to private networks, such as those of customers; `internet`: to public addresses alone */
  reach: 'networks' | 'internet';
  /** addresses and blocks that may be connected to although they are of the node or its link: a machine that is all ours */
  allowed: readonly string[];
  /** addresses and blocks that may not, such as those of the control plane */
  refused: readonly string[];
}

export class DestinationRefused extends Error {
  readonly code = 'EDESTINATION';
}

/** Those of the customers' own networks are among them: a database in a peered network has such an address. */
const ofNetworks = ['unicast', 'private', 'carrierGradeNat', 'uniqueLocal'];

/** Metadata of clouds outside 169.254.0.0/16, and the agents of a hypervisor. */
export const metadataBlocks = ['fd00:ec2::/32', 'fd20:ce::254/128', '100.100.100.200/32', '168.63.129.16/32'];

/** The one block of IPv6 that is given out for the internet, and what of it is not, or leads to IPv4. */
const globalIpv6 = parseBlock('2000::/3');
const notGlobal = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '192.88.99.0/24'].map(parseBlock);

/** IPv4 within IPv6 in a form that is no longer in use (IPv4-compatible), which ipaddr.js takes for unicast. */
const ipv4Compatible = parseBlock('::/96');

/** Names that mean something else on each machine or network. */
const localName = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)$|^[^.]*$/i;

/** what a write waits for the addresses of a name; the look at each connection is the one that counts */
const checkMilliseconds = 500;

/** Reads the rules once. @throws Error for what is no address or block */
export function destinations(rules: DestinationRules): Destinations {
  const { who, reach } = rules;
  const allowed = rules.allowed.map(parseBlock);
  const refused = [ipv4Compatible, ...[...metadataBlocks, ...rules.refused].map(parseBlock)];
  const isReachable = reach === 'internet' ? isPublic : (to: Address) => ofNetworks.includes(to.range());
  const isPermitted = (address: Address): boolean => {
    const isIn = (block: { contains(address: Address): boolean }) => block.contains(address);
    if (!embeddedIpv4(address).every(isPermitted)) return false;
    if (allowed.some(isIn)) return true;
    return isReachable(address) && !refused.some(isIn) && !isOwn(address);
  };
  const refusal = (host: string) => new DestinationRefused(`${who} may not connect to ${host}`);
  const check = (host: string) => {
    const address = parseHost(host);
    if (address !== null && !isPermitted(address)) throw refusal(host);
  };

  const names = new NameLookup({ ...rules, searches: reach === 'networks' });
  const permittedOf = async (host: string, owner: string, milliseconds?: number) => {
    const written = parseHost(host);
    const found = written
      ? [{ address: written.toString(), family: written.kind() === 'ipv4' ? 4 : 6 }]
      : await names.find(host, owner, milliseconds);
    const permitted = found.filter(({ address }) => {
      const parsed = parseHost(address);
      return parsed !== null && isPermitted(parsed);
    });
    if (permitted.length === 0) throw refusal(`${host} (${listed(found)})`);
    return permitted;
  };

  const of = (owner: string): Destinations => {
    const lookup: LookupFunction = (host, options, callback) => {
      permittedOf(host, owner).then(
        (permitted) => {
          const ofFamily = permitted.filter(({ family }) => isOfFamily(family, options.family));
          const [first] = ofFamily;
          if (!first) callback(new NameNotFound('ENOTFOUND', `${host} has no such address`), '', 0);
          else if (options.all) callback(null, ofFamily);
          else callback(null, first.address, first.family);
        },
        (error: unknown) => callback(error as Error, '', 0),
      );
    };
    const checkNow = async (host: string) => {
      check(host);
      if (parseHost(host) !== null) return;
      const name = host.replace(/\.$/, '');
      if (reach === 'internet' && allowed.length === 0 && localName.test(name)) throw refusal(host);
      await permittedOf(host, owner, checkMilliseconds).catch((error: unknown) => {
        if (!(error instanceof NameNotFound)) throw error;
      });
    };
    return { check, checkNow, lookup, of, socket: () => new GuardedSocket(check, lookup) };
  };
  return of('');
}

/** Whether an address is one of the internet: neither a private one in any of its forms, nor one that is translated into another. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || notGlobal.some((block) => block.contains(address))) return false;
  return address.kind() === 'ipv4' || globalIpv6.contains(address);
}

const sixToFour = parseBlock('2002::/16');
const teredo = parseBlock('2001::/32');
/** IPv4-translated (SIIT), NAT64, and NAT64 of one's own network */
const translated = ['::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'].map(parseBlock);

/** The IPv4 addresses that an IPv6 address leads to: it counts as these, also where an operator allows its block. */
function embeddedIpv4(address: Address): Address[] {
  if (address.kind() === 'ipv4' || ['loopback', 'unspecified'].includes(address.range())) return [];
  const bytes = address.toByteArray();
  const last = bytes.slice(12);
  const embedded = () => {
    if (sixToFour.contains(address)) return [bytes.slice(2, 6)];
    // its server, and its client with all bits inverted
    if (teredo.contains(address)) return [bytes.slice(4, 8), last.map((byte) => 255 - byte)];
    // in any network (RFC 5214)
    const isIsatap = /^(0|2),0,94,254$/.test(bytes.slice(8, 12).join());
    return isIsatap || [ipv4Compatible, ...translated].some((block) => block.contains(address)) ? [last] : [];
  };
  return embedded().flatMap((four) => parseAddress(four.join('.')) ?? []);
}

/** An address as it is written in a URL or a configuration; null for a name. */
function parseHost(host: string): Address | null {
  const text = host.replace(/^\[(.*)\]$/, '$1');
  // ipaddr.js reads the deprecated ::192.0.2.1 as an IPv4-mapped address, which it is not for the system
  return parseAddress(isIP(text) === 6 ? text.replace(/^::(?=\d+\.)/, '0:0:0:0:0:0:') : text);
}

const isOfFamily = (family: number, wanted: number | string | undefined) =>
  wanted === undefined || wanted === 0 || wanted === family || wanted === `IPv${family}`;
const listed = (found: readonly LookupAddress[]) => found.map(({ address }) => address).join(', ');

/** Why an address that was written down leads to no server at all, as a sentence without its subject; null where nothing is wrong. */
export function addressIssue(written: string): string | null {
  const url = URL.parse(written);
  if (!url) return 'is no address';
  // parsers of URLs take what follows more slashes for the host
  if (!/^[a-z]+:\/\/[^/\\?#]/i.test(written.trim())) return 'has to name a host';
  return url.port === '0' ? 'must not have port 0' : null;
}

/** Addresses come and go with networks, so they are asked for each time; that costs some microseconds. */
function isOwn(address: Address): boolean {
  const text = address.toString();
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((own) => parseAddress(own.address.split('%')[0])?.toString() === text),
  );
}

/** Connects by a port and a host only: neither by a path, nor by a lookup of the caller's own. */
class GuardedSocket extends Socket {
  readonly #check: (host: string) => void;
  readonly #lookup: LookupFunction;

  constructor(check: (host: string) => void, permitted: LookupFunction) {
    super();
    this.#check = check;
    this.#lookup = permitted;
  }

  override connect(...args: unknown[]): this {
    const { port, host } = target(args);
    try {
      if (port === undefined || host === undefined) throw new DestinationRefused('Connectors use TCP only');
      if (isIP(host)) this.#check(host);
    } catch (error) {
      // as for any other address that cannot be connected to
      process.nextTick(() => this.destroy(error as Error));
      return this;
    }
    return super.connect({ port, host, lookup: this.#lookup });
  }
}

/** What `connect` was asked for: (port, host) or ({ port, host }). */
function target([first, second]: unknown[]): { port?: number; host?: string } {
  if (typeof first === 'object' && first !== null) {
    const { port, host } = first as { port?: unknown; host?: unknown };
    return target([port, host]);
  }
  const port = Number(first);
  return Number.isInteger(port) && typeof second === 'string' ? { port, host: second } : {};
}
