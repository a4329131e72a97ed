import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentIdentity, Enrolment } from '@sluice/contracts';
import { deploymentIdSchema, nodeIdSchema } from '@sluice/contracts/ids';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { CryptoKey } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import { z } from 'zod';
import type { Sealing } from '../sealing.ts';

const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
});
export const agentIdentitySchema: z.ZodType<AgentIdentity> = z.object({
  node_id: nodeIdSchema,
  deployment_id: deploymentIdSchema,
});
const fileSchema = z.object({
  private_key: z.string(),
  enrolled_as: agentIdentitySchema.nullable(),
  /** of the token that it has enrolled with; absent before it has */
  token_digest: z.string().optional(),
});
interface KeptIdentity extends Omit<z.infer<typeof fileSchema>, 'private_key'> {
  private_key: z.infer<typeof keySchema>;
}

export interface Identity {
  privateKey: CryptoKey;
  publicKey: Enrolment['public_key'];
  enrolledAs: AgentIdentity | null;
  /** The one-time token. @throws when there is none */
  token(): Promise<string>;
  /** Keeps the supervisor's answer to this token, and removes the token. */
  enrolled(as: AgentIdentity, token: string): Promise<void>;
}

interface IdentityOptions {
  home: string;
  sealing: Sealing;
  /** where the one-time token is, if not in the folder */
  tokenFile?: string | undefined;
  log: Log;
}

/**
 * Reads the identity, or makes a new key. The key is on disk before this returns: an agent that is killed while it
 * enrols comes back with the same key, which the supervisor accepts again. One that is sealed with another key, as in a copy of the
 * folder, is given up: the agent enrols anew.
 * @throws Error when the file is damaged
 */
export async function loadIdentity({ home, sealing, tokenFile, log }: IdentityOptions): Promise<Identity> {
  const path = join(home, 'identity.json');
  const write = writerOf(path, sealing);
  const tokenPath = tokenFile ?? join(home, 'enrolment-token');
  const kept = await readIfPresent(path);
  const found = kept === null ? undefined : parse(path, kept);
  const known = found && (await opened(found, sealing, write));
  if (found && !known)
    log.error('the identity is sealed with another key, the agent has to enrol anew', { path });
  const anew = !known || (tokenFile !== undefined && (await isAnother(known, tokenFile)));
  const { private_key, enrolled_as } = anew ? await makeKey(write) : known;
  const privateKey = await importJWK(private_key, 'EdDSA');
  if (privateKey instanceof Uint8Array) throw new Error(`${path} does not hold a private key`);
  if (enrolled_as !== null && tokenFile === undefined) await rm(tokenPath, { force: true });
  const { kty, crv, x } = private_key;
  return {
    privateKey,
    publicKey: { kty, crv, x },
    enrolledAs: enrolled_as,
    token: async () => {
      const token = await readToken(tokenPath);
      if (token === '') throw new Error(`${tokenPath} is missing: without it this agent can't enrol`);
      return token;
    },
    enrolled: async (as, token) => {
      await write({ private_key, enrolled_as: as, token_digest: digestOf(token) });
      if (tokenFile === undefined) await rm(tokenPath, { force: true });
    },
  };
}

const readToken = async (path: string) => (await readIfPresent(path))?.trim() ?? '';
const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** True if there is another token than the one of the enrolment: the supervisor does not know this identity any more. */
async function isAnother({ enrolled_as, token_digest }: KeptIdentity, tokenFile: string): Promise<boolean> {
  if (enrolled_as === null || token_digest === undefined) return false;
  const token = await readToken(tokenFile);
  return token !== '' && digestOf(token) !== token_digest;
}

async function makeKey(write: Write): Promise<KeptIdentity> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const identity: KeptIdentity = {
    private_key: keySchema.parse(await exportJWK(privateKey)),
    enrolled_as: null,
  };
  await write(identity);
  return identity;
}

function parse(path: string, text: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is damaged: the node has to be made anew`);
  }
}

type Write = (identity: KeptIdentity) => Promise<void>;

const writerOf =
  (path: string, sealing: Sealing): Write =>
  async (identity) => {
    const private_key = await sealing.seal(JSON.stringify(identity.private_key));
    await writePrivateFile(path, JSON.stringify({ ...identity, private_key }));
  };

/** Undefined where its key cannot be opened. */
async function opened(
  { private_key: kept, ...rest }: z.infer<typeof fileSchema>,
  sealing: Sealing,
  write: Write,
): Promise<KeptIdentity | undefined> {
  const { text, renewed } = await sealing.open(kept).catch(() => ({ text: undefined, renewed: undefined }));
  if (text === undefined) return undefined;
  const identity = { ...rest, private_key: keySchema.parse(JSON.parse(text)) };
  if (renewed !== undefined) await write(identity);
  return identity;
}
