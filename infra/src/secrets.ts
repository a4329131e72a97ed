import { readFile, writeFile } from 'node:fs/promises';
import type { Home } from './home.ts';

/** The secret of this name, made by `make` at the first time and kept from then on in a file that only its owner reads. */
export async function keptSecret(home: Home, name: string, make: () => string): Promise<string> {
  const file = home.path('secrets', name);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim() !== '') return kept.trim();
  const made = make();
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
