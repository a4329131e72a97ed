import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';

/** The private key of a local node's agent, as a JSON Web Key: with it a test speaks as the agent. */
export async function agentKeyOf(nodesFolder: string, keysFolder: string, node: number): Promise<string> {
  const identity = await readFile(join(nodesFolder, String(node), 'identity.json'), 'utf8');
  const { private_key } = JSON.parse(identity) as { private_key: string };
  const keys = secretKeysSchema.parse(await readFile(join(keysFolder, String(node)), 'utf8'));
  return await secretBox(keys).open(private_key);
}
