import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { SecretBox } from '@sluice/system/secrets';
import { FlattenedSign } from 'jose/jws/flattened/sign';
import type { Database } from './tables.ts';
import {
  findAccount,
  insertAccount,
  lockAccounts,
  updateAccount,
  type AcmeAccount,
} from './acme-accounts.store.ts';
import {
  linkSchema,
  parsed,
  publicPart,
  type AcmeAnswer,
  type AcmeProtocol,
  type Signer,
} from './protocol.ts';
import { AcmeProblem } from './problem.ts';

export interface AccountOptions {
  database: Database;
  secrets: SecretBox;
  protocol: AcmeProtocol;
  directoryUrl: string;
  contacts: readonly string[];
  termsAgreed: boolean;
  /** how an authority that asks for it knows its customer (RFC 8555, 7.3.4) */
  binding?: { keyId: string; hmacKey: string } | undefined;
}

/** The region's account, made where there is none; its replicas share it. */
export interface Account {
  /** Posts as the account; reads with a `payload` of null. @throws AcmeProblem */
  post(url: string, payload: unknown, options: { signal: AbortSignal; accept?: string }): Promise<AcmeAnswer>;
  signer: Signer & { url: string };
}

export function accounts(options: AccountOptions): (signal: AbortSignal) => Promise<Account> {
  const { database, secrets, protocol, directoryUrl } = options;
  let known: Account | undefined;

  return async (signal) => {
    if (known) return known;
    const stored = (await findAccount(database, directoryUrl)) ?? (await makeKey());
    const key = createPrivateKey(await secrets.open(stored.sealed_key));
    const url = await registered(stored, { key }, signal);
    known = accountOf({ key, url });
    return known;
  };

  /** Made under a lock: two keys would be two accounts. */
  async function makeKey(): Promise<AcmeAccount> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sealed = await secrets.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    return await database.transaction().execute(async (tx) => {
      await lockAccounts(tx);
      return (await findAccount(tx, directoryUrl)) ?? (await insertAccount(tx, directoryUrl, sealed));
    });
  }

  /** Has the authority know the key and the contacts. Repeating it makes no second account, since the key is the same. */
  async function registered(stored: AcmeAccount, signer: Signer, signal: AbortSignal): Promise<string> {
    const contacts = options.contacts.map((address) => `mailto:${address}`);
    if (stored.url !== null && same(stored.contacts, contacts)) return stored.url;
    const { newAccount, meta } = await protocol.directory(signal);
    const terms = meta?.termsOfService;
    if (terms !== undefined && !options.termsAgreed)
      throw new Error(`the authority wants its terms to be agreed to (ACME_TERMS_AGREED): ${terms}`);
    const binding = options.binding && {
      externalAccountBinding: await bind(options.binding, newAccount, signer),
    };
    const agreed = terms !== undefined && { termsOfServiceAgreed: true };
    const payload = { contact: contacts, ...agreed, ...binding };
    const answer = await protocol.post(signer, newAccount, payload, { signal });
    const url = parsed(linkSchema, answer.location);
    // it answers what it has where it knows the key
    if (answer.status === 200)
      await protocol.post({ ...signer, url }, url, { contact: contacts }, { signal });
    await updateAccount(database, directoryUrl, { url, contacts });
    return url;
  }

  function accountOf(signer: Signer & { url: string }): Account {
    return {
      signer,
      async post(url, payload, call) {
        try {
          return await protocol.post(signer, url, payload, call);
        } catch (error) {
          // the next call makes it known to the authority again
          if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') {
            known = undefined;
            await updateAccount(database, directoryUrl, { url: null, contacts: [] });
          }
          throw error;
        }
      },
    };
  }
}

/** The account's key, signed by what the authority has given its customer. */
async function bind({ keyId, hmacKey }: { keyId: string; hmacKey: string }, url: string, { key }: Signer) {
  const content = new TextEncoder().encode(JSON.stringify(publicPart(key)));
  return await new FlattenedSign(content)
    .setProtectedHeader({ alg: 'HS256', kid: keyId, url })
    .sign(Buffer.from(hmacKey, 'base64url'));
}

const same = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');
