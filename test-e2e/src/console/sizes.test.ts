import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConsole } from '@sluice/console/build';

interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

test('the first load of the deployments and what further pages load stay small', async () => {
  const folder = await buildConsole();
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const filesOf = (key: string): Set<string> => {
    const files = new Set<string>();
    const add = (one: string) => {
      const { file, css = [], imports = [] } = manifest[one] ?? { file: '' };
      if (files.has(file)) return;
      for (const each of [file, ...css]) files.add(each);
      imports.forEach(add);
    };
    add(key);
    return files;
  };
  // as browsers get it: by Brotli, where the build has made that
  const sizeOf = async (file: string) => {
    const found = await stat(join(folder, `${file}.br`)).catch(() => stat(join(folder, file)));
    return found.size;
  };
  const size = async (files: Iterable<string>) => {
    const sizes = await Promise.all([...files].map(sizeOf));
    return sizes.reduce((all, one) => all + one, 0);
  };
  const keys = Object.keys(manifest);
  const entry = filesOf(keys.find((key) => manifest[key]?.isEntry) ?? '');
  const typeface =
    keys.flatMap((key) => manifest[key]?.file ?? []).find((file) => file.includes('inter-latin')) ?? '';
  const pages = keys.filter((key) => /-(page|tab)\.tsx$/.test(key));
  const own = new Map(
    await Promise.all(
      pages.map(
        async (page) => [page, await size([...filesOf(page)].filter((file) => !entry.has(file)))] as const,
      ),
    ),
  );
  const first =
    (await size([...entry, typeface])) + (own.get('src/pages/deployments/deployments-page.tsx') ?? NaN);
  expect(typeface).toMatch(/woff2$/);
  expect(pages.length).toBeGreaterThan(4);
  expect(first).toBeLessThan(260_000);
  expect(Object.fromEntries([...own].filter(([, bytes]) => bytes > 80_000))).toEqual({});
  process.stdout.write(
    `First load ${Math.round(first / 1000)} kB; pages ${[...own].map(([page, bytes]) => `${page} ${bytes}`).join(', ')}\n`,
  );
}, 180_000);
