import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsole } from '@sluice/console/build';

interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

test('what the first pages load and what further pages load stay small', async () => {
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
  const start = keys.find((key) => manifest[key]?.isEntry) ?? '';
  // the frame of all pages, which the small first file names
  const entry = new Set(
    [start, ...(manifest[start]?.dynamicImports ?? [])].flatMap((key) => [...filesOf(key)]),
  );
  // what the frame loads once a page has settled
  const later = new Set(
    keys.filter((key) => /layout\/menus|toast-region/.test(key)).flatMap((key) => [...filesOf(key)]),
  );
  const html = await readFile(join(folder, 'index.html'), 'utf8');
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
  // the document holds the styles of the frame
  const frame = (await size([...entry, typeface])) + gzipSync(html).byteLength;
  const first = (page: string) => frame + (own.get(`src/pages/${page}.tsx`) ?? NaN);
  // they come with the document, and not one after the other; what is drawn before them needs no further file
  expect(html).toContain('.starting{');
  expect(html).not.toMatch(/rel="?stylesheet/);
  expect([...entry].filter((file) => !html.includes(`/${file}"`))).toEqual([]);
  expect(entry.size).toBeLessThan(12);
  expect(typeface).toMatch(/woff2$/);
  expect(pages.length).toBeGreaterThan(4);
  expect(first('sign-in/sign-in-page')).toBeLessThan(175_000);
  expect(first('overview/overview-page')).toBeLessThan(180_000);
  expect(first('deployments/deployments-page')).toBeLessThan(260_000);
  expect(Object.fromEntries([...own].filter(([, bytes]) => frame + bytes > 275_000))).toEqual({});
  const further = await Promise.all(
    pages.map(async (page) => {
      const files = [...filesOf(page)].filter((file) => !entry.has(file) && !later.has(file));
      return [page, await size(files)] as const;
    }),
  );
  expect(later.size).toBeGreaterThan(2);
  expect(Object.fromEntries(further.filter(([, bytes]) => bytes > 80_000))).toEqual({});
  process.stdout.write(
    `Frame ${Math.round(frame / 1000)} kB; pages ${[...own].map(([page, bytes]) => `${page} ${bytes}`).join(', ')}\n`,
  );
}, 180_000);
