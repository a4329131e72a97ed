import { readIfPresent, writePrivateFile } from '@sluice/system';
import type { Home } from './home.ts';

/** The secret of this name, made by `make` at the first time and kept from then on in a file that only its owner reads. */
export async function keptSecret(home: Home, name: string, make: () => string): Promise<string> {
  const file = home.path('secrets', name);
  const kept = (await readIfPresent(file))?.trim() ?? '';
  if (kept !== '') return kept;
  const made = make();
  await writePrivateFile(file, `${made}\n`);
  return made;
}
