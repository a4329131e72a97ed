import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildStreamPage } from '../build.ts';

test('all files of the page take less than 250 kB, as browsers get them', async () => {
  const folder = await buildStreamPage();
  const names = (await readdir(join(folder, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name));
  const sizes = await Promise.all(
    names.map(async (name) => {
      const compressed = await stat(join(folder, 'assets', `${name}.br`)).catch(() => null);
      return (compressed ?? (await stat(join(folder, 'assets', name)))).size;
    }),
  );
  expect(names.filter((name) => name.endsWith('.js')).length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
}, 180_000);
