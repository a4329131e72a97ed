import { channelSecretsSchema, type ChannelSecrets } from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import { LRUCache } from 'lru-cache';

export interface ChannelVault {
  seal(secrets: ChannelSecrets): Promise<string>;
  /** @throws Error when the key is not there any more */
  open(sealed: string): Promise<ChannelSecrets>;
}

const mostOpened = 10_000;

/** Keeps the secrets of channels encrypted wherever they are stored; those that were opened lately stay in memory. */
export function channelVault(box: SecretBox): ChannelVault {
  const opened = new LRUCache<string, ChannelSecrets>({ max: mostOpened });
  return {
    seal: (secrets) => box.seal(JSON.stringify(secrets)),
    async open(sealed) {
      const known = opened.get(sealed);
      if (known) return known;
      const secrets = channelSecretsSchema.parse(JSON.parse(await box.open(sealed)));
      opened.set(sealed, secrets);
      return secrets;
    },
  };
}
