import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { repository } from '../settings.ts';
import { readOptions, usage } from './options.ts';
import { release } from './release.ts';

/** `npm run release`: docs/operations/release.md. */
const args = process.argv.slice(2);
if (args.includes('--help')) console.log(usage);
else
  try {
    const options = readOptions(args);
    // npm runs scripts in the folder of package.json
    const file = resolve(process.env.INIT_CWD ?? process.cwd(), options.key);
    const key = existsSync(file) ? file : options.key;
    await release(repository, { ...options, key }, (line) => console.log(line));
    if (!options.dryRun)
      console.log(
        'Done. Push the branch and its tag: git push --follow-tags. After a final release, put its archive in place: npm run archive-release -- <tag>.',
      );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
