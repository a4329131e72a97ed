import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { parseAddress, parseBlock, type Address } from './addresses.ts';

/**
 * Where programs connect to that somebody else tells where. They do so from our machines, so that whoever tells them would otherwise
 * reach what trusts these: their own programs, neighbours on the link, the cloud's metadata with the machine's identity.
 */
export interface Destinations {
  /** @throws DestinationRefused for an address that may not be connected to; names are looked at when they are resolved */
  check(host: string): void;
  /** The same, for names as well, by what they are resolved to now; one that is not known anywhere passes. */
  checkNow(host: string): Promise<void>;
  /** resolves a name to those of its addresses that may be connected to, for `net.connect` and all that is built on it */
  lookup: LookupFunction;
  /** a socket that connects nowhere else, for clients that take one */
  socket(): Socket;
}

export interface DestinationRules {
  /** who connects, in what people read */
  who: string;
  /** `networks`: also to private networks, such as those of customers; `internet`: to public addresses alone */
  reach: 'networks' | 'internet';
  /** addresses and blocks that may be connected to although they are of the node or its link: a machine that is all ours */
  allowed: readonly string[];
  /** addresses and blocks that may not, such as those of the control plane */
  refused: readonly string[];
  /** who is asked for addresses, where it is not the system */
  resolve?: typeof systemLookup;
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

/** Names that mean something else on each machine or network. */
const localName = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)$|^[^.]*$/i;

/** Reads the rules once. @throws Error for what is no address or block */
export function destinations(rules: DestinationRules): Destinations {
  const { who, reach, resolve = systemLookup } = rules;
  const allowed = rules.allowed.map(parseBlock);
  const refused = [...metadataBlocks, ...rules.refused].map(parseBlock);
  const isReachable = reach === 'internet' ? isPublic : (to: Address) => ofNetworks.includes(to.range());
  const permits = (address: Address) => {
    const isIn = (block: { contains(address: Address): boolean }) => block.contains(address);
    if (allowed.some(isIn)) return true;
    return isReachable(address) && !refused.some(isIn) && !isOwn(address);
  };
  const refusal = (host: string) => new DestinationRefused(`${who} may not connect to ${host}`);

  const check = (host: string) => {
    const address = parseAddress(withoutBrackets(host));
    if (address !== null && !permits(address)) throw refusal(host);
  };
  const permitted: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : found.filter(({ address }) => isPermitted(address));
      const [first] = addresses;
      if (error || !first) callback(error ?? refusal(`${hostname} (${listed(found)})`), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  const isPermitted = (text: string) => {
    const address = parseAddress(text);
    return address !== null && permits(address);
  };
  const checkNow = async (host: string) => {
    check(host);
    const name = withoutBrackets(host).replace(/\.$/, '');
    if (isIP(name) !== 0) return;
    if (reach === 'internet' && allowed.length === 0 && localName.test(name)) throw refusal(host);
    const found = await addressesOf(resolve, name);
    if (found.length > 0 && !found.some(({ address }) => isPermitted(address)))
      throw refusal(`${host} (${listed(found)})`);
  };
  return { check, checkNow, lookup: permitted, socket: () => new GuardedSocket(check, permitted) };
}

/** Whether an address is one of the internet: neither a private one in any of its forms, nor one that is translated into another. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || notGlobal.some((block) => block.contains(address))) return false;
  return address.kind() === 'ipv4' || globalIpv6.contains(address);
}

const resolveMilliseconds = 2_000;

/** What a name stands for now; nothing where that cannot be found out in time. */
async function addressesOf(resolve: typeof systemLookup, name: string): Promise<LookupAddress[]> {
  const { promise, resolve: found } = Promise.withResolvers<LookupAddress[]>();
  const timer = setTimeout(() => found([]), resolveMilliseconds);
  resolve(name, { all: true }, (error, addresses) => found(error ? [] : addresses));
  return await promise.finally(() => clearTimeout(timer));
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');
const listed = (found: readonly LookupAddress[]) => found.map(({ address }) => address).join(', ');

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
