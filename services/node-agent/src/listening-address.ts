import { networkInterfaces } from 'node:os';
import { isPrivateAddress } from '@sluice/system';

/** Where the gateway of a node listens, and where clients reach it. */

const lookEvery = 60_000;

interface OwnAddress {
  address: string;
  /** of the machine itself alone */
  internal: boolean;
}

/**
 * Where a node listens that may be reached at a private address alone, of the addresses that its machine has: where clients reach it, if that is one, or
 * else at the first private one. Undefined where there is none.
 */
export function privateAddressOf(
  reached: string | undefined,
  own: readonly OwnAddress[],
): string | undefined {
  const isOwn = own.some(({ address }) => address === reached);
  if (reached !== undefined && isOwn && isPrivateAddress(reached)) return reached;
  return own.find(({ address, internal }) => !internal && isPrivateAddress(address) && !isOfLink(address))
    ?.address;
}

/** those that need the name of an interface beside them, or that a machine gives itself while nobody gives it another */
const isOfLink = (address: string) => /^(fe[89ab]|169\.254\.)/i.test(address);

/**
 * Says where a private node listens now. What the machine has is looked at each time, and where clients reach it each minute: whoever has the gateway
 * told of rules must not wait for a name that is not resolved.
 */
export async function privateListener(reachedAt: () => Promise<string>): Promise<() => string | undefined> {
  let reached: string | undefined;
  const look = async () => {
    reached = await reachedAt().catch(() => reached);
  };
  await look();
  setInterval(() => void look(), lookEvery).unref();
  return () =>
    privateAddressOf(
      reached,
      Object.values(networkInterfaces()).flatMap((own = []) => own),
    );
}
