import type { Declaration } from './permission.ts';

const kibibyte = 2 ** 10;
const mebibyte = 2 ** 20;

/** How large a body may be, in bytes, by who may send it: the less is known of them, the smaller. */
const mostBytes: Record<Declaration['kind'], number> = {
  public: 16 * kibibyte,
  agent: 64 * kibibyte,
  session: mebibyte,
  authenticated: mebibyte,
  owner: mebibyte,
  permission: mebibyte,
};

/** The largest body that an operation takes, in bytes. */
export const bodyBytesOf = ({ kind }: Declaration): number => mostBytes[kind];

/** A number of bytes as people read it: 16 KiB. */
export function sizeInWords(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`;
}
