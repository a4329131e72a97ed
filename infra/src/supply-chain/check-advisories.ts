import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import {
  advisoriesFile,
  findAffected,
  readAdvisories,
  shippedComponents,
  type AdvisoryList,
  type Component,
} from './advisories.ts';

/**
 * Compares what is shipped with the committed list of advisories; ends with exit code 1 where something is affected that nothing
 * accepts. With `--refresh` asks the npm registry for advisories of the packages first, and writes those to the list.
 */

const oldestList = 90 * 86_400_000;

/** What a registry answers to a bulk request: advisories by the name of the package. */
const bulkSchema = z.record(
  z.string(),
  z.array(
    z.object({ url: z.string(), title: z.string(), vulnerable_versions: z.string(), severity: z.string() }),
  ),
);

const components = await shippedComponents();
let list = await readAdvisories();
if (process.argv.includes('--refresh')) list = await refresh(list, components);

const age = Date.now() - Date.parse(list.refreshed);
if (age > oldestList)
  console.warn(
    `WARNING: the list is of ${list.refreshed}. Refresh it: npm run advisories -- --refresh, then read ` +
      `${Object.values(list.sources)
        .filter((source) => source.startsWith('https:'))
        .join(', ')}`,
  );
const findings = findAffected(components, list, new Date());
const accepted = findings.filter(({ accepted: reason }) => reason !== undefined);
for (const [name, all] of Map.groupBy(accepted, ({ component }) => component.name)) {
  const ids = all.map(({ advisory }) => advisory.id).join(', ');
  console.log(`accepted: ${name} (${all[0]?.component.version}): ${ids}. ${all[0]?.accepted}`);
}
for (const { component, advisory } of findings.filter(({ accepted: reason }) => reason === undefined))
  console.log(
    `AFFECTED: ${component.name} (${component.version}): ${advisory.id}, ${advisory.title}; fixed in ${advisory.fixed}`,
  );
const affected = findings.length - accepted.length;
console.log(
  `${components.length} components against ${list.advisories.length} advisories of ${list.refreshed}: ${affected} affected.`,
);
process.exitCode = affected === 0 ? 0 : 1;

/** The list with the advisories that the registry names; as it is where the registry does not answer. */
async function refresh(former: AdvisoryList, shipped: readonly Component[]): Promise<AdvisoryList> {
  const packages = shipped.filter(({ product }) => product.startsWith('npm:'));
  const versions = Map.groupBy(packages, ({ product }) => product.slice('npm:'.length));
  const query = Object.fromEntries([...versions].map(([name, all]) => [name, all.map((one) => one.version)]));
  try {
    const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
    const url = new URL('-/npm/v1/security/advisories/bulk', stdout.trim());
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(query),
      signal: AbortSignal.timeout(30_000),
    });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const named = Object.entries(bulkSchema.parse(await answer.json())).flatMap(([name, all]) =>
      all.map(({ url: page, title, vulnerable_versions, severity }) => ({
        ...{ id: page.split('/').at(-1) ?? page, product: `npm:${name}`, affected: vulnerable_versions },
        ...{ fixed: 'see the advisory', title: `${title} (${severity})` },
      })),
    );
    const known = new Set(named.map(({ id, product }) => `${product} ${id}`));
    const kept = former.advisories.filter(({ id, product }) => !known.has(`${product} ${id}`));
    const next = {
      ...former,
      refreshed: new Date().toISOString().slice(0, 10),
      advisories: [...kept, ...named],
    };
    await writeFile(advisoriesFile, `${JSON.stringify(next, null, 2)}\n`);
    console.log(`${named.length} advisories of npm. Those of the other products are added by hand, from:`);
    for (const [product, source] of Object.entries(former.sources)) console.log(`  ${product}: ${source}`);
    return next;
  } catch (error) {
    console.warn(
      `WARNING: the registry has not been asked (${error instanceof Error ? error.message : String(error)}); the list stays as it is.`,
    );
    return former;
  }
}
