import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { z } from 'zod';

/**
 * Keys for what has to be stored encrypted: `<id>:<base64 of 32 bytes>`, several separated by commas. The first
 * encrypts; the others still decrypt, so a key is rotated by putting a new one in front.
 */
export const secretKeysSchema = z
  .string()
  .transform((text) =>
    text.split(',').map((entry) => entry.trim().split(':') as [string, string | undefined]),
  )
  .refine((keys) => keys.every(([id, key]) => id && Buffer.from(key ?? '', 'base64').length === 32), {
    error: 'has to be <id>:<base64 of 32 bytes>, several separated by commas',
  })
  .transform(
    (keys) => new Map(keys.map(([id, key]) => [id, new Uint8Array(Buffer.from(key ?? '', 'base64'))])),
  );

export interface SecretBox {
  /** Encrypts a text with authentication (JWE, A256GCM) under the newest key. */
  seal(text: string): Promise<string>;
  /** @throws Error when the text was changed, or its key is not among the configured ones */
  open(sealed: string): Promise<string>;
  /** Whether the newest key has encrypted it: what an older one has needs that to stay. */
  isNewest(sealed: string): boolean;
}

export function secretBox(keys: ReadonlyMap<string, Uint8Array>): SecretBox {
  const [newest] = keys;
  if (!newest) throw new Error('There is no key to encrypt with');
  return {
    seal: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: newest[0] })
        .encrypt(newest[1]),
    isNewest: (sealed) => decodeProtectedHeader(sealed).kid === newest[0],
    async open(sealed) {
      const { plaintext } = await compactDecrypt(sealed, ({ kid }) => {
        const key = kid === undefined ? undefined : keys.get(kid);
        if (!key) throw new Error(`There is no key '${kid ?? ''}' to decrypt with`);
        return key;
      });
      return new TextDecoder().decode(plaintext);
    },
  };
}
