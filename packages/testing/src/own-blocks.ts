import { networkInterfaces } from 'node:os';

/** The IPv4 addresses of this machine, at one of which each server of a test is: one in a container is not on loopback. */
export function ownBlocks(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((known = []) => known);
  return ['127.0.0.0/8', ...addresses.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : []))];
}
