import type { GatewayRule, Protocol } from '@sluice/contracts';
import { isIpv4Block, parseAddress, parseBlock } from '@sluice/system/addresses';

/** Admits connections by access rules, and none without one (interface, 4.8). Times are milliseconds since 1970. */
export interface Admission {
  /** True if one rule names the protocol, contains the address and is still valid. */
  admits(protocol: Protocol, address: string | undefined, now: number): boolean;
  /** the end of the rule that ends next; null if none ends */
  nextEnd(now: number): number | null;
  /** blocks that are not IPv4 CIDR blocks; they admit no address */
  unreadable: string[];
}

export function createAdmission(rules: readonly GatewayRule[]): Admission {
  const compiled = rules.map((rule) => ({
    protocols: new Set<Protocol>(rule.protocols),
    blocks: rule.cidr_blocks.filter(isIpv4Block).map(parseBlock),
    // A time that can't be read has passed.
    end: rule.valid_to === null ? Infinity : Date.parse(rule.valid_to) || 0,
  }));
  return {
    admits: (protocol, address, now) => {
      const source = parseAddress(address);
      if (source === null) return false;
      return compiled.some(
        ({ protocols, blocks, end }) =>
          end > now && protocols.has(protocol) && blocks.some((block) => block.contains(source)),
      );
    },
    nextEnd: (now) => {
      const ends = compiled.map(({ end }) => end).filter((end) => end > now && end < Infinity);
      return ends.length === 0 ? null : Math.min(...ends);
    },
    unreadable: rules.flatMap(({ cidr_blocks }) => cidr_blocks.filter((text) => !isIpv4Block(text))),
  };
}
