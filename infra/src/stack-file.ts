import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '@sluice/system';
import { z } from 'zod';
import type { SecretsHome } from './secrets.ts';

const stackSchema = z.object({
  base_url: z.url(),
  audit_url: z.url(),
  supervisors: z.array(z.object({ cloud: z.string(), region: z.string(), url: z.url() })),
  // where the web app is there
  console_url: z.url().optional(),
  tenant_id: z.int(),
  division_id: z.int(),
  api_key: z.string(),
  // of a stack whose parts this machine can reach by themselves
  nats_url: z.string().optional(),
  mail_dir: z.string().optional(),
});
/** What `stack.json` tells a program (a test, a benchmark) that wants to use the stack. */
export type StackFile = z.infer<typeof stackSchema>;

/** What the last start has written; undefined if there is nothing that can be read. */
export async function readStackFile(home: SecretsHome): Promise<StackFile | undefined> {
  try {
    return stackSchema.parse(JSON.parse(await readFile(home.path('stack.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Readable for its owner alone: it holds an API key. */
export async function writeStackFile(home: SecretsHome, stack: StackFile): Promise<void> {
  await writePrivateFile(home.path('stack.json'), `${JSON.stringify(stack, null, 2)}\n`);
}
