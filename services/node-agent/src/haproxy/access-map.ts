import type { GatewayRule, Protocol } from '@sluice/contracts';
import { canonicalIpv4Block } from '@sluice/system/addresses';

/** Later than any rule: milliseconds since 1970. */
const never = 999_999_999_999_999;

/**
 * The rules of one protocol as a map of HAProxy: a block and the time, in milliseconds since 1970, until which it is let in. HAProxy
 * finds the narrowest block that contains an address and looks at no other, so each has the latest end of all that contain it.
 * @param clockOffset what has to be added to this machine's clock, by which HAProxy goes, in milliseconds
 */
export function accessMap(rules: readonly GatewayRule[], protocol: Protocol, clockOffset: number): string[] {
  const ends = new Map<string, number>();
  for (const { protocols, cidr_blocks, valid_to } of rules) {
    if (!protocols.includes(protocol)) continue;
    // a time that can't be read has passed
    const end = valid_to === null ? never : (Date.parse(valid_to) || 0) - clockOffset;
    for (const block of cidr_blocks.map(canonicalIpv4Block))
      if (block !== null) ends.set(block, Math.max(end, ends.get(block) ?? 0));
  }
  return [...ends.keys()].sort().map((block) => `${block} ${Math.floor(latestEnd(block, ends))}`);
}

/** Of the block and of each that contains it: 33 look-ups, however many blocks there are. */
function latestEnd(block: string, ends: ReadonlyMap<string, number>): number {
  const [address = '', bits = '32'] = block.split('/');
  const number = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  let latest = 0;
  for (let wider = Number(bits); wider >= 0; wider--)
    latest = Math.max(latest, ends.get(blockOf(number, wider)) ?? 0);
  return latest;
}

/** The block of so many bits that contains an address. */
function blockOf(address: number, bits: number): string {
  const network = address - (address % 2 ** (32 - bits));
  const octets = [24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256);
  return `${octets.join('.')}/${bits}`;
}
