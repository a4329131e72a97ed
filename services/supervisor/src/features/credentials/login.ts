import { randomInt } from 'node:crypto';
import type { SecretBox } from '@sluice/system/secrets';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const passwordLength = 32;
const suffixLength = 6;

/** A login of a deployment's clients, its password sealed. */
export interface Login {
  username: string;
  sealedPassword: string;
}

/**
 * Makes a login.
 * @param other whether the deployment has had one: this has another name, since a broker knows one password of each
 */
export async function newLogin(code: string, secrets: SecretBox, other: boolean): Promise<Login> {
  const suffix = other ? `-${pick(letters.toLowerCase(), suffixLength)}` : '';
  return {
    username: `user-${code.toLowerCase()}${suffix}`,
    sealedPassword: await secrets.seal(pick(letters, passwordLength)),
  };
}

const pick = (from: string, length: number) =>
  Array.from({ length }, () => from[randomInt(from.length)]).join('');
