import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'postject';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../settings.ts';
import { billOfExecutable } from '../supply-chain/bill-of-materials.ts';
import { bundleCli } from '../cli/build.ts';

/** by which Node finds the program that it carries */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const run = promisify(execFile);
const { QEMU_LD_PREFIX } = process.env;
/** what a program of another architecture needs in its environment */
export const qemu = QEMU_LD_PREFIX === undefined ? {} : { QEMU_LD_PREFIX };
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ resolution: z.object({ integrity: z.string().optional() }) })),
});

export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/**
 * Makes the command line as one file with Node in it, for Linux. What V8 has compiled is of one architecture, so the Node of that architecture
 * compiles it; on another machine this takes QEMU, registered with the kernel. Beside the file goes its bill of materials. Keys are kept in a
 * file, since the keyring's library is no part of it.
 * @param architecture default: that of this machine
 * @returns the path of the executable
 */
export async function buildExecutable(
  folder: string,
  version: string,
  architecture = process.arch as Architecture,
): Promise<string> {
  if (process.platform !== 'linux')
    throw new Error(`Executables are made on Linux, not on ${process.platform}.`);
  const platform = `linux-${architecture}`;
  const temporary = await mkdtemp(join(tmpdir(), 'sluice-executable-'));
  const work = join(temporary, 'bundle');
  try {
    const node = await nodeFor(platform, temporary);
    // a single executable has no further files that it could load
    const oneFile = { target: 'node24', outputOptions: { codeSplitting: false } };
    await bundleCli({ ...oneFile, entry: { whole: 'src/executable.ts' }, outDir: work, format: 'esm' });
    // a script cannot await at its top, as Ink does: in one file that happens where it is loaded
    await bundleCli({
      ...oneFile,
      entry: { sluice: join(work, 'whole.js') },
      outDir: work,
      format: 'cjs',
      clean: false,
    });
    const [blob, executable] = [join(work, 'blob'), join(work, 'sluice')];
    const configuration = {
      ...{ main: join(work, 'sluice.cjs'), output: blob },
      ...{ disableExperimentalSEAWarning: true, useCodeCache: true },
    };
    await writeFile(join(work, 'sea.json'), JSON.stringify(configuration));
    await run(node, ['--experimental-sea-config', join(work, 'sea.json')]);
    await copyFile(node, executable);
    await chmod(executable, 0o755);
    await inject(executable, 'NODE_SEA_BLOB', await readFile(blob), { sentinelFuse: fuse });
    const { stdout } = await run(executable, ['version', '-o', 'json'], {
      env: { ...qemu, SLUICE_CONFIG_DIR: work },
    });
    const { node: carried = '' } = JSON.parse(stdout) as { node?: string };

    const name = `sluice-${version}-${platform}`;
    await mkdir(join(folder, 'sbom'), { recursive: true });
    await writeFile(join(folder, 'sbom', `${name}.cdx.json`), await billOfExecutable(version, carried));
    await copyFile(executable, join(folder, `${name}.unfinished`));
    await rename(join(folder, `${name}.unfinished`), join(folder, name));
    return join(folder, name);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Node as the lock file names it, whichever Node runs this. That of another architecture is fetched, and compared with the lock file. */
async function nodeFor(platform: string, folder: string): Promise<string> {
  const name = `node-${platform}`;
  const installed = join(repository, 'node_modules', name, 'bin/node');
  if (existsSync(installed)) return installed;
  const { packages } = lockSchema.parse(parse(await readFile(join(repository, 'pnpm-lock.yaml'), 'utf8')));
  const [id, locked] = Object.entries(packages).find(([one]) => one.startsWith(`${name}@`)) ?? [];
  if (id === undefined || locked === undefined) throw new Error(`The lock file has no ${name}.`);
  const packed = await run('npm', ['pack', '--silent', id], { cwd: folder });
  const archive = join(folder, packed.stdout.trim());
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (`sha512-${digest}` !== locked.resolution.integrity)
    throw new Error(`${id} is not what the lock file names: sha512-${digest}.`);
  await run('tar', ['-xzf', archive, '-C', folder]);
  const node = join(folder, 'package/bin/node');
  await run(node, ['--version']).catch((error: unknown) => {
    throw new Error(
      `Node for ${platform} does not run here. QEMU has to be registered with the kernel, and QEMU_LD_PREFIX to name that system's libraries.`,
      { cause: error },
    );
  });
  return node;
}

/** `npm run build:executable -- <folder> <version> [<architecture>]` */
if (process.argv[1] === import.meta.filename) {
  const [folder = join(repository, 'packages/cli/dist-executable'), version = 'dev', given = process.arch] =
    process.argv.slice(2);
  const architecture = architectures.find((one) => one === given);
  if (architecture === undefined)
    throw new Error(`There are executables for ${architectures.join(' and ')}, not for ${given}.`);
  console.log(await buildExecutable(resolve(process.env.INIT_CWD ?? '', folder), version, architecture));
}
