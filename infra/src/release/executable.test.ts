import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { testFolder } from '@sluice/testing';
import { architectures, buildExecutable, qemu, type Architecture } from './executable.ts';

/** A foreign one where QEMU and that system's libraries are there. */
const runsHere = (architecture: Architecture) =>
  architecture === process.arch || process.env.QEMU_LD_PREFIX !== undefined;

test.each(architectures.filter(runsHere))(
  'for %s the command line is one file that needs no Node, with a valid bill of materials',
  async (architecture) => {
    const folder = await testFolder();
    const executable = await buildExecutable(folder, '1.2.3', architecture);
    expect(executable).toBe(join(folder, `sluice-1.2.3-linux-${architecture}`));
    const run = (...args: string[]) =>
      promisify(execFile)(executable, args, { env: { ...qemu, SLUICE_CONFIG_DIR: folder }, cwd: '/' });
    expect((await run('deployments', '--help')).stdout).toContain('spend-limit');
    await expect(run('whoami')).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('sluice login') as unknown,
    });

    const bill = await readFile(join(folder, 'sbom', `sluice-1.2.3-linux-${architecture}.cdx.json`), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bill)).toBeNull();
    const { components } = JSON.parse(bill) as { components: { 'bom-ref': string }[] };
    const refs = components.map((component) => component['bom-ref']);
    expect(refs).toContainEqual(expect.stringMatching(/^node@24\.\d+\.\d+$/));
    expect(refs).toContainEqual(expect.stringMatching(/^commander@/));
  },
  120_000,
);
