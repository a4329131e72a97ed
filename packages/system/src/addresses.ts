import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where a client connects from: an IPv4 address, also when it was written as IPv4-mapped IPv6, or an IPv6 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Null for what is not an address. */
export function parseAddress(text: string | undefined): Address | null {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/**
 * The network that the user of this address controls: an IPv4 address as it is, of IPv6 the first 64 bits, for
 * anybody can use all addresses below them. Null for what is not an address.
 */
export function networkOf(text: string | undefined): string | null {
  const address = parseAddress(text);
  if (address === null || address.kind() === 'ipv4') return address && address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().split('%')[0]}/64`).toString()}/64`;
}

const privateRanges = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback', 'linkLocal']);

/** Whether `text` is an IP address that nothing outside of its network can reach. */
export function isPrivateAddress(text: string): boolean {
  const address = isIP(text) === 0 ? null : parseAddress(text);
  return address !== null && privateRanges.has(address.range());
}

/**
 * Whether `text` is an IPv4 block in CIDR notation, such as 192.0.2.0/24, with all four decimal parts: ipaddr.js also
 * reads shortened and hexadecimal addresses, which people would take for something else.
 */
export function isIpv4Block(text: string): boolean {
  return /\/\d{1,2}$/.test(text) && ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
}

/**
 * The one form in which an IPv4 block is written: its first address and its prefix, so `192.0.2.0/24` for
 * `192.0.2.7/024`. Null for what is no block.
 */
export function canonicalIpv4Block(text: string): string | null {
  if (!isIpv4Block(text)) return null;
  const [, bits = ''] = text.split('/');
  return `${ipaddr.IPv4.networkAddressFromCIDR(text).toString()}/${Number(bits)}`;
}

/** Whether `text` is an IPv4 or IPv6 address without a zone, or a block of them in CIDR notation. */
export function isAddressOrBlock(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** One or more neighbouring addresses. */
export interface Block {
  contains(address: Address): boolean;
}

/** Reads what `isIpv4Block` or `isAddressOrBlock` has accepted. @throws Error for anything else */
export function parseBlock(text: string): Block {
  const [first, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : single(text);
  return { contains: (address) => address.kind() === first.kind() && address.match(first, bits) };
}

function single(text: string): [Address, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
