import type { Command } from 'commander';
import { gather, list } from '@sluice/terminal/options';

/** What plans are made of. */
export const planned = (command: Command): Command =>
  command
    .requiredOption(
      '-f, --file <path>',
      'a document, a directory of .yaml files, or - for stdin; several times',
      gather,
    )
    .option('--prune', 'delete what the set of the document has made and does not want any more')
    .option('--prune-named <names>', 'delete these also if they are protected or store messages', list)
    .option('--replace <names>', 'delete and make anew these where a change is impossible in place', list)
    .option('--resend-secrets', 'send secrets that servers do not show, as they can have changed');
