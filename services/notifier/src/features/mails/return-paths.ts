import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { idOf, type NotificationId } from '@sluice/contracts';
import type { SendMailOptions } from 'nodemailer';
import { base32 } from 'rfc4648';

/** A mail: that of a message, by the id of the message, or that of a notification, by its own. */
export type MailRef = { kind: 'mail'; id: string } | { kind: 'notification'; id: NotificationId };

/** A mail that has come back. */
export type ReturnedMail = MailRef & { sentAt: Date };

/** Addresses that mails come back to, each to one of its own, which cannot be made up. */
export interface ReturnPaths {
  of(mail: MailRef): string;
  /** @returns the mail that this address was made for, unless that is too long ago */
  read(address: string): ReturnedMail | undefined;
}

export interface ReturnPathsOptions {
  /** the first makes addresses; the others still hold */
  keys: ReadonlyMap<string, Uint8Array>;
  /** whose local part all of them begin with */
  address: string;
  now: () => Date;
}

/** queues of mail servers give up after five days (RFC 5321, 4.5.4.1) */
const holdMilliseconds = 14 * 24 * 60 * 60 * 1_000;

const kinds = ['mail', 'notification'] as const;
/** kind, second of sending, id */
const signedBytes = 1 + 4 + 16;
const macBytes = 12;
/** Base32 has no upper case that a server on the way could change */
const tokenLength = Math.ceil(((signedBytes + macBytes) * 8) / 5);

const tokenIn = new RegExp(`\\+([a-z2-7]{${tokenLength}})@[^@]+$`, 'i');

export function returnPaths({ keys, address, now }: ReturnPathsOptions): ReturnPaths {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const macKeys = [...keys.values()].map(
    (key) => new Uint8Array(hkdfSync('sha256', key, '', 'sluice return paths', 32)),
  );
  const [newest] = macKeys;
  if (!newest) throw new Error('There is no key to make return paths with');
  return {
    of(mail) {
      const signed = signedPart(mail, now());
      const token = base32.stringify(Buffer.concat([signed, macOf(newest, signed)]), { pad: false });
      return `${local}+${token.toLowerCase()}@${domain}`;
    },
    read(recipient) {
      const token = bytesOf(tokenIn.exec(recipient)?.[1]);
      if (token?.length !== signedBytes + macBytes) return undefined;
      const [signed, mac] = [token.subarray(0, signedBytes), token.subarray(signedBytes)];
      if (!macKeys.some((key) => timingSafeEqual(macOf(key, signed), mac))) return undefined;
      const mail = mailIn(signed);
      return mail && now().getTime() - mail.sentAt.getTime() < holdMilliseconds ? mail : undefined;
    },
  };
}

/** How a mail is sent that is to come back to `path`: without its text, which may be secret, and only when there is no hope. */
export const returningTo = (path: string, to: string) =>
  ({
    envelope: { from: { name: '', address: path }, to: { name: '', address: to } },
    dsn: { ret: 'HDRS', notify: ['FAILURE'] },
  }) satisfies SendMailOptions;

function macOf(key: Uint8Array, signed: Uint8Array): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, macBytes);
}

function signedPart(mail: MailRef, sentAt: Date): Buffer {
  const signed = Buffer.alloc(signedBytes);
  signed.writeUInt8(kinds.indexOf(mail.kind), 0);
  signed.writeUInt32BE(Math.floor(sentAt.getTime() / 1_000), 1);
  if (mail.kind === 'mail') signed.write(mail.id.replaceAll('-', ''), 5, 'hex');
  else signed.writeBigUInt64BE(BigInt(mail.id), 13);
  return signed;
}

function mailIn(signed: Buffer): ReturnedMail | undefined {
  const sentAt = new Date(signed.readUInt32BE(1) * 1_000);
  switch (kinds[signed.readUInt8(0)]) {
    case 'mail': {
      const id = signed.toString('hex', 5).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return { kind: 'mail', id, sentAt };
    }
    case 'notification':
      return { kind: 'notification', id: idOf(Number(signed.readBigUInt64BE(13))), sentAt };
    case undefined:
      return undefined;
  }
}

function bytesOf(token: string | undefined): Buffer | undefined {
  try {
    return token === undefined ? undefined : Buffer.from(base32.parse(token.toUpperCase(), { loose: true }));
  } catch {
    return undefined;
  }
}
