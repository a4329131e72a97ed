import type { Cli, Options, Session } from './cli.ts';
import { openContexts, type Contexts } from './context/contexts.ts';
import type { Io } from '@sluice/terminal/io';
import { visible } from '@sluice/terminal/escape';
import { createOutput } from '@sluice/terminal/output';

/** What actions get, before the command line is read: `begin` says what it has. */
export function createCli(
  io: Io,
  signal: AbortSignal,
): Cli & { begin(options: Options, flags: readonly string[]): void } {
  let options: Options = {};
  let flags: readonly string[] = [];
  let output = createOutput(io, {});
  let contexts: Contexts | undefined;
  let session: Promise<Session> | undefined;
  const cli = {
    io,
    get options() {
      return options;
    },
    get flags() {
      return flags;
    },
    get output() {
      return output;
    },
    get contexts() {
      return (contexts ??= openContexts(io.env));
    },
    signal,
    say: (text: string) => void io.stderr.write(`${text.split('\n').map(visible).join('\n')}\n`),
    session: () => (session ??= import('./session.ts').then(({ openSession }) => openSession(cli))),
    begin(given: Options, itsFlags: readonly string[]) {
      options = given;
      flags = itsFlags;
      output = createOutput(io, given);
    },
  };
  return cli;
}
