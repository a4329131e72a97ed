import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf, say } from '../long-run.ts';
import { alert } from './alert.ts';
import { composeDay } from './compose.ts';
import { Day, readChapters, writeChapter } from './day.ts';
import { addAndRemoveRegion, helm, install, manifest, restore, uninstall, upgrade } from './helm.ts';
import { rotate } from './keys.ts';
import { readOptions, usage } from './options.ts';
import { firstRelease, nextRelease, versionsOf } from './releases.ts';
import { pageOf } from './transcript.ts';

/** `npm run operators-day`: docs/operations/operators-day.md. Exit code 1 when something does not hold. */

const chapters: readonly { name: string; run: (day: Day) => Promise<void> }[] = [
  { name: 'A release', run: firstRelease },
  { name: 'Helm: install', run: (day) => install(day, helm) },
  { name: 'The next release', run: nextRelease },
  { name: 'Helm: upgrade under load', run: (day) => upgrade(day, helm) },
  { name: 'A region is added and removed', run: addAndRemoveRegion },
  { name: 'A database is restored', run: restore },
  { name: 'Keys are rotated', run: rotate },
  { name: 'An alert', run: alert },
  { name: 'Helm: uninstall', run: (day) => uninstall(day, helm) },
  { name: 'install.yaml: install', run: (day) => install(day, manifest) },
  { name: 'install.yaml: upgrade under load', run: (day) => upgrade(day, manifest) },
  { name: 'install.yaml: uninstall', run: (day) => uninstall(day, manifest) },
  { name: 'Compose', run: composeDay },
];

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const options = readOptions(args);
  const day = await Day.begin(options);
  const done = await readChapters(day);
  for (const { name, run: work } of chapters) {
    if (done.has(name)) continue;
    if (options.only !== undefined && !options.only.some((one) => name.startsWith(one))) continue;
    say(name);
    day.chapter = { name, lines: [] };
    try {
      await work(day);
    } catch (error) {
      say(`WRONG: ${name}: ${reasonOf(error)}`);
      return 1;
    }
    await writeChapter(day);
  }
  if (options.page !== undefined) {
    const written = await readChapters(day);
    const inOrder = chapters
      .flatMap(({ name }) => written.get(name) ?? [])
      .filter(({ lines }) => lines.length > 0);
    const missing = chapters
      .map(({ name }) => name)
      .filter((name) => !inOrder.some((one) => one.name === name));
    const page = pageOf(inOrder, {
      date: new Date().toISOString().slice(0, 10),
      versions: await versionsOf(day),
      ...{ missing, note: options.note },
      cluster: `Kubernetes ${await day.serverVersion()}`,
    });
    await writeFile(resolve(process.env['INIT_CWD'] ?? '', options.page), page);
  }
  return 0;
}
