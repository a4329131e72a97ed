import type { GatewayRule, Protocol } from '@sluice/contracts';
import ipaddr from 'ipaddr.js';

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
  const unreadable: string[] = [];
  const compiled = rules.map((rule) => ({
    protocols: new Set<Protocol>(rule.protocols),
    blocks: rule.cidr_blocks.flatMap((text) => {
      if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return [ipaddr.IPv4.parseCIDR(text)];
      unreadable.push(text);
      return [];
    }),
    // A time that can't be read has passed.
    end: rule.valid_to === null ? Infinity : Date.parse(rule.valid_to) || 0,
  }));
  return {
    admits: (protocol, address, now) => {
      if (address === undefined || !ipaddr.isValid(address)) return false;
      // process() takes an IPv4 address out of its IPv6 form, which a listener on :: reports
      const source = ipaddr.process(address);
      if (!(source instanceof ipaddr.IPv4)) return false;
      return compiled.some(
        ({ protocols, blocks, end }) =>
          end > now &&
          protocols.has(protocol) &&
          blocks.some(([network, bits]) => source.match(network, bits)),
      );
    },
    nextEnd: (now) => {
      const ends = compiled.map(({ end }) => end).filter((end) => end > now && end < Infinity);
      return ends.length === 0 ? null : Math.min(...ends);
    },
    unreadable,
  };
}
