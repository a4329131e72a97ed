import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { changes, waits } from '@sluice/terminal/options';
import { placeWords } from './verbs.ts';

export default function certificates(command: Command, cli: Cli): void {
  const actions = () => import('./certificates/certificates.ts');
  const add = (verb: string, description: string) =>
    command.command(verb).description(description).argument('[deployment]', placeWords);

  add('show', 'Show the certificate that a deployment proves itself by').action(async (at) =>
    (await actions()).show(cli, at),
  );

  add('authority', 'Write the certificates that clients trust, as PEM')
    .option('--out <file>', 'write them to this new file, and not to stdout')
    .action(async (at, options) => (await actions()).authority(cli, at, options));

  waits(changes(add('rotate', 'Replace the certificate by one with a new key; connections stay'))).action(
    async (at, options) => (await actions()).rotate(cli, at, options),
  );
}
