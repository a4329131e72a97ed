import ipaddr from 'ipaddr.js';

/** Whether this is an IP address that nothing outside of its network can reach. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return ['private', 'uniqueLocal', 'carrierGradeNat', 'loopback', 'linkLocal'].includes(range);
}
