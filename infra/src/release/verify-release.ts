import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { missingPrograms } from './preconditions.ts';
import { verifyArtifacts, verifyFiles } from './verify.ts';

/** `npm run release:verify`: docs/operations/release.md. */
const usage = `Usage: npm run release:verify -- <folder of a release> --key <cosign.pub> [--registry <registry>]

Compares the files with the signed list, and looks at images and chart: in the folder oci of the release, in the registry that it
names, or in another registry that they were copied to. Needs crane, cosign and oras.
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, registry: { type: 'string' } },
  });
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0 || values.key === undefined) throw new Error(usage);
  const missing = await missingPrograms(['cosign', 'oras', 'crane']);
  if (missing.size > 0) throw new Error([...missing.values()].join('\n'));
  // npm runs scripts in the folder of package.json
  const from = process.env.INIT_CWD ?? process.cwd();
  const [folder, key] = [resolve(from, given), resolve(from, values.key)];
  const { faults, manifest } = await verifyFiles(folder, await readFile(key, 'utf8'));
  if (manifest !== undefined) faults.push(...(await verifyArtifacts(folder, manifest, key, values.registry)));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else
    console.log(
      `Release ${manifest?.version}, commit ${manifest?.commit}: all files, ${manifest?.images.length} images and the chart are as released.`,
    );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
