import { networkInterfaces } from 'node:os';
import { isPrivateAddress } from '@sluice/system';

interface OwnAddress {
  address: string;
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

/** those that need the name of an interface beside them, or that a machine gives itself */
const isOfLink = (address: string) => /^(fe[89ab]|169\.254\.)/i.test(address);

/**
 * The address that a private node listens on now. The machine's addresses are read each time; the one at which clients reach it is looked
 * up by a job, since applying rules must not wait for a name that is not resolved.
 */
export class PrivateListener {
  readonly #reachedAt: () => Promise<string>;
  #reached: string | undefined;

  constructor(reachedAt: () => Promise<string>) {
    this.#reachedAt = reachedAt;
  }

  async look(): Promise<void> {
    this.#reached = await this.#reachedAt().catch(() => this.#reached);
  }

  get address(): string | undefined {
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
    return privateAddressOf(this.#reached, own);
  }
}
