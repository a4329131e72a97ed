import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { channelIdSchema, type ChannelId } from '@sluice/contracts';

/** Links by which an address unsubscribes from a channel. Each belongs to both, holds as long as its key does, and is the same in each mail. */
export interface UnsubscribeLinks {
  of(channel: ChannelId, address: string): string;
  /** @returns the channel that a token names; `holds` says whether it was made for it */
  channelOf(token: string): ChannelId | undefined;
  holds(token: string, channel: ChannelId, address: string): boolean;
}

export interface UnsubscribeLinksOptions {
  /** the first makes links; the others still hold */
  keys: ReadonlyMap<string, Uint8Array>;
  /** of main-api, as clients reach it */
  apiUrl: string;
}

const idBytes = 8;
const macBytes = 16;

export function unsubscribeLinks({ keys, apiUrl }: UnsubscribeLinksOptions): UnsubscribeLinks {
  const macKeys = [...keys.values()].map(
    (key) => new Uint8Array(hkdfSync('sha256', key, '', 'sluice unsubscribe links', 32)),
  );
  const [newest] = macKeys;
  if (!newest) throw new Error('There is no key to make links with');
  return {
    of(channel, address) {
      const url = new URL(`${apiUrl.replace(/\/+$/, '')}/unsubscribe`);
      url.searchParams.set('token', tokenOf(newest, channel, address).toString('base64url'));
      return url.href;
    },
    channelOf(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== idBytes + macBytes) return undefined;
      return channelIdSchema.safeParse(Number(bytes.readBigUInt64BE(0))).data;
    },
    holds(token, channel, address) {
      const given = Buffer.from(token, 'base64url');
      const expected = macKeys.map((key) => tokenOf(key, channel, address));
      return expected.some((each) => each.length === given.length && timingSafeEqual(each, given));
    },
  };
}

function tokenOf(key: Uint8Array, channel: ChannelId, address: string): Buffer {
  const id = Buffer.alloc(idBytes);
  id.writeBigUInt64BE(BigInt(channel), 0);
  const mac = createHmac('sha256', key).update(id).update(address.toLowerCase()).digest();
  return Buffer.concat([id, mac.subarray(0, macBytes)]);
}
