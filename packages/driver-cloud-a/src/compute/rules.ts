import type { IpPermission } from '@aws-sdk/client-ec2';
import type { Protocol } from '@sluice/contracts';
import ipaddr from 'ipaddr.js';
import type { NetworkRule } from '@sluice/drivers';

export const gatewayPorts = {
  broker_tcp: 4222,
  broker_websocket: 8080,
  broker_http: 8222,
} as const satisfies Partial<Record<Protocol, number>>;
type Served = keyof typeof gatewayPorts;
const served = Object.keys(gatewayPorts) as Served[];

/** entries that the cloud takes for each family of addresses, inward */
const mostEntries = 60;
const everywhere = { v4: '0.0.0.0/0', v6: '::/0' } as const;

/** `<port> <block>` of each entry. */
export type Entries = ReadonlySet<string>;

/**
 * What access rules come to in a security group, as long as it has room for that; else it is open, and the gateway behind it decides, as it does in
 * any case.
 */
export function wantedEntries(rules: readonly NetworkRule[], now: Date): Entries {
  const all = new Set<string>();
  const inForce = rules.filter(({ valid_to }) => valid_to === null || valid_to > now);
  for (const { protocols, cidr_blocks } of inForce)
    for (const protocol of served)
      if (protocols.includes(protocol))
        for (const block of cidr_blocks) all.add(entryOf(gatewayPorts[protocol], block));
  const v6 = [...all].filter(isV6);
  const v4 = [...all].filter((entry) => !isV6(entry));
  return new Set([...fitted(v4, everywhere.v4), ...fitted(v6, everywhere.v6)]);
}

/** However a block is written, the cloud tells it in one way. */
function entryOf(port: number, block: string): string {
  const [address, bits] = ipaddr.parseCIDR(block);
  const network =
    address.kind() === 'ipv6'
      ? ipaddr.IPv6.networkAddressFromCIDR(block).toRFC5952String()
      : ipaddr.IPv4.networkAddressFromCIDR(block).toString();
  return `${port} ${network}/${bits}`;
}

const isV6 = (entry: string) => entry.includes(':');

function fitted(entries: readonly string[], block: string): string[] {
  if (entries.length <= mostEntries) return [...entries];
  return [...new Set(entries.map((entry) => `${entry.split(' ')[0]} ${block}`))];
}

/** Whether a group takes these entries beside those that it has. */
export function haveRoom(there: Entries, added: Entries): boolean {
  const all = [...there, ...added];
  const v6 = all.filter(isV6).length;
  return v6 <= mostEntries && all.length - v6 <= mostEntries;
}

/** The entries that a group has, those apart that are none of ours by their form. */
export function entriesIn(permissions: readonly IpPermission[] = []): {
  ours: Entries;
  others: IpPermission[];
} {
  const ours = new Set<string>();
  const others: IpPermission[] = [];
  for (const permission of permissions) {
    const { IpProtocol, FromPort, ToPort, IpRanges = [], Ipv6Ranges = [] } = permission;
    const { UserIdGroupPairs = [], PrefixListIds = [] } = permission;
    const isPlain = IpProtocol === 'tcp' && FromPort === ToPort && FromPort !== undefined;
    if (!isPlain || UserIdGroupPairs.length + PrefixListIds.length > 0) {
      others.push(permission);
      continue;
    }
    for (const { CidrIp = '' } of IpRanges) ours.add(entryOf(FromPort, CidrIp));
    for (const { CidrIpv6 = '' } of Ipv6Ranges) ours.add(entryOf(FromPort, CidrIpv6));
  }
  return { ours, others };
}

export function permissionsOf(entries: Iterable<string>): IpPermission[] {
  return [...entries].map((entry) => {
    const [port = '', block = ''] = entry.split(' ');
    const range = isV6(entry) ? { Ipv6Ranges: [{ CidrIpv6: block }] } : { IpRanges: [{ CidrIp: block }] };
    return { IpProtocol: 'tcp', FromPort: Number(port), ToPort: Number(port), ...range };
  });
}
