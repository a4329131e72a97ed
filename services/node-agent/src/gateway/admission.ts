import type { GatewayRule, Protocol } from '@sluice/contracts';
import { isIpv4Block, parseAddress, parseBlock } from '@sluice/system/addresses';

/** Decides who may come in: nobody, unless a rule says so (interface, 4.8). Times are milliseconds since 1970. */
export interface Admission {
  /** Whether some rule names the protocol, contains the address and is still valid. */
  admits(protocol: Protocol, address: string | undefined, now: number): boolean;
  /** When the next rule ends; null when none will. */
  nextEnd(now: number): number | null;
  /** What is not an IPv4 block in CIDR notation. It lets nobody in. */
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
