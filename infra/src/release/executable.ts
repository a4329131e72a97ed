import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'postject';
import { repository } from '../settings.ts';
import { billOfExecutable } from '../supply-chain/bill-of-materials.ts';
import { bundleCli } from '../cli/build.ts';

/** by which Node finds the program that it carries */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Makes the command line as one file with Node in it, for the machine that makes it: what V8 has compiled is of one architecture. Beside it
 * goes its bill of materials. Keys are kept in a file, since the keyring's library is no part of it.
 * @returns the path of the executable
 */
export async function buildExecutable(folder: string, version: string): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') throw new Error(`Executables are made on Linux, not on ${platform}.`);
  // of the version that the lock file names, whichever Node runs this
  const node = join(repository, 'node_modules', `node-${platform}`, 'bin/node');
  const work = await mkdtemp(join(tmpdir(), 'sluice-executable-'));
  try {
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
    const run = promisify(execFile);
    await run(node, ['--experimental-sea-config', join(work, 'sea.json')]);
    await copyFile(node, executable);
    await chmod(executable, 0o755);
    await inject(executable, 'NODE_SEA_BLOB', await readFile(blob), { sentinelFuse: fuse });
    const { stdout } = await run(executable, ['version', '-o', 'json'], { env: { SLUICE_CONFIG_DIR: work } });
    const { node: carried = '' } = JSON.parse(stdout) as { node?: string };

    const name = `sluice-${version}-${platform}`;
    await mkdir(join(folder, 'sbom'), { recursive: true });
    await writeFile(join(folder, 'sbom', `${name}.cdx.json`), await billOfExecutable(version, carried));
    await copyFile(executable, join(folder, `${name}.unfinished`));
    await rename(join(folder, `${name}.unfinished`), join(folder, name));
    return join(folder, name);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** `npm run build:executable -- <folder> <version>` */
if (process.argv[1] === import.meta.filename) {
  const [folder = join(repository, 'packages/cli/dist-executable'), version = 'dev'] = process.argv.slice(2);
  console.log(await buildExecutable(resolve(process.env.INIT_CWD ?? '', folder), version));
}
