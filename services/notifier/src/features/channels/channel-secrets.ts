import { randomBytes } from 'node:crypto';
import {
  channelSettingsSchema,
  destinationForms,
  type ChannelSettings,
  type SecretFields,
} from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** What of a channel may be secret: the address of a chat lets anybody write there, headers may hold logins. */
const secretsSchema = z.object({
  destination: z.string(),
  settings: channelSettingsSchema,
  /** what a webhook's messages are signed with, as Standard Webhooks writes it; null for other kinds */
  signing_secret: z.string().nullable(),
});
export type ChannelSecrets = z.infer<typeof secretsSchema>;

/** What of the settings is sent to the destination and may open it. The signing secret itself is never sent. */
export const channelSecretFields: SecretFields = {
  secrets: [['settings', 'webhook', 'headers', '*']],
  destination: [{ path: ['destination'], form: destinationForms.url }],
};

export interface ChannelVault {
  seal(secrets: ChannelSecrets): Promise<string>;
  /** @throws Error when the key is not there any more */
  open(sealed: string): Promise<ChannelSecrets>;
  /** Encrypts under the newest key what an older one has; null for what it has itself. */
  reseal(sealed: string): Promise<string | null>;
}

const mostOpened = 10_000;

/** Keeps the secrets of channels encrypted wherever they are stored; those that were opened lately stay at hand. */
export function channelVault(box: SecretBox): ChannelVault {
  const opened = new LRUCache<string, ChannelSecrets>({ max: mostOpened });
  return {
    seal: (secrets) => box.seal(JSON.stringify(secrets)),
    reseal: async (sealed) => (box.isNewest(sealed) ? null : await box.seal(await box.open(sealed))),
    async open(sealed) {
      const known = opened.get(sealed);
      if (known) return known;
      const secrets = secretsSchema.parse(JSON.parse(await box.open(sealed)));
      opened.set(sealed, secrets);
      return secrets;
    },
  };
}

export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export const isCustomized = ({ webhook }: ChannelSettings): boolean =>
  Object.keys(webhook?.headers ?? {}).length > 0 || (webhook?.method ?? 'POST') !== 'POST';
