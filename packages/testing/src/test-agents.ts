import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from './folder.ts';

const agent = join(import.meta.dirname, '../../../services/node-agent');

/** The program of an agent that does the same, but was built from other sources: its gateway as well, or it alone. */
export async function newerAgent(what: 'gateway' | 'agent'): Promise<string> {
  const folder = join(await testFolder(), 'services/node-agent');
  await mkdir(folder, { recursive: true });
  for (const name of ['src', 'package.json'])
    await cp(join(agent, name), join(folder, name), { recursive: true });
  await symlink(join(agent, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, what === 'gateway' ? 'src/gateway/newer.ts' : 'src/newer.ts'), '// changed');
  return join(folder, 'src/main.ts');
}

/** The program of an agent that never reports anything. */
export const silentAgent = join(import.meta.dirname, 'silent-agent.ts');
