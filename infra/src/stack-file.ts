import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '@sluice/system';
import { z } from 'zod';
import type { Home } from './home.ts';

const stackSchema = z.object({
  base_url: z.url(),
  audit_url: z.url(),
  supervisors: z.array(z.object({ cloud: z.string(), region: z.string(), url: z.url() })),
  tenant_id: z.int(),
  division_id: z.int(),
  api_key: z.string(),
  nats_url: z.string(),
  mail_dir: z.string(),
});
/** What `stack.json` tells a program (a test, a benchmark) that wants to use the stack. */
export type StackFile = z.infer<typeof stackSchema>;

/** What the last start has written; undefined if there is nothing that can be read. */
export async function readStackFile(home: Pick<Home, 'path'>): Promise<StackFile | undefined> {
  try {
    return stackSchema.parse(JSON.parse(await readFile(home.path('stack.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Readable for its owner alone: it holds an API key. */
export async function writeStackFile(home: Home, stack: StackFile): Promise<void> {
  await writePrivateFile(home.path('stack.json'), `${JSON.stringify(stack, null, 2)}\n`);
}
