import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentIdentity, Enrolment } from '@sluice/contracts';
import { deploymentIdSchema, nodeIdSchema } from '@sluice/contracts/ids';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey } from 'jose';
import { z } from 'zod';

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
  private_key: keySchema,
  enrolled_as: agentIdentitySchema.nullable(),
  /** of the token that it has enrolled with; older agents have not noted it */
  token_digest: z.string().optional(),
});
type IdentityFile = z.infer<typeof fileSchema>;

/** Who this agent is: its key, and what the supervisor knows it as once it has enrolled. */
export interface Identity {
  privateKey: CryptoKey;
  publicKey: Enrolment['public_key'];
  enrolledAs: AgentIdentity | null;
  /** The one-time token. @throws when there is none */
  token(): Promise<string>;
  /** Keeps what the supervisor answered to this token, and throws that away. */
  enrolled(as: AgentIdentity, token: string): Promise<void>;
}

/**
 * Reads the identity, or makes a new key. The key is on disk before this returns: an agent that is killed while it
 * enrols comes back with the same key, which the supervisor accepts again.
 */
export async function loadIdentity(home: string, tokenFile?: string): Promise<Identity> {
  const path = join(home, 'identity.json');
  const tokenPath = tokenFile ?? join(home, 'enrolment-token');
  const kept = await readIfPresent(path);
  const known = kept === null ? undefined : parse(path, kept);
  const anew = !known || (tokenFile !== undefined && (await isAnother(known, tokenFile)));
  const { private_key, enrolled_as } = anew ? await makeKey(path) : known;
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
      await writePrivateFile(path, write({ private_key, enrolled_as: as, token_digest: digestOf(token) }));
      if (tokenFile === undefined) await rm(tokenPath, { force: true });
    },
  };
}

const readToken = async (path: string) => (await readIfPresent(path))?.trim() ?? '';
const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** Whether there is a token that is not the one which this identity has enrolled with: the supervisor does not know it any more. */
async function isAnother({ enrolled_as, token_digest }: IdentityFile, tokenFile: string): Promise<boolean> {
  if (enrolled_as === null || token_digest === undefined) return false;
  const token = await readToken(tokenFile);
  return token !== '' && digestOf(token) !== token_digest;
}

async function makeKey(path: string): Promise<IdentityFile> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const identity: IdentityFile = {
    private_key: keySchema.parse(await exportJWK(privateKey)),
    enrolled_as: null,
  };
  await writePrivateFile(path, write(identity));
  return identity;
}

function parse(path: string, text: string): IdentityFile {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is damaged: the node has to be made anew`);
  }
}

function write(identity: IdentityFile): string {
  return JSON.stringify(identity);
}
