import { openContexts, type Contexts } from './context/contexts.ts';
import type { Io } from './io.ts';
import { createOutput, type Format, type Output } from './output/output.ts';
import type { Session } from './session.ts';

/** Options that every command takes, and those of changes. */
export interface Options {
  output?: Format;
  query?: string;
  context?: string;
  tenant?: string;
  verbose?: boolean;
  dryRun?: boolean;
}

/** What an action gets: the program around it. */
export interface Cli {
  readonly io: Io;
  /** as they were given; empty before the command line is read */
  readonly options: Readonly<Options>;
  /** the options of the command that runs, such as `--name` */
  readonly flags: readonly string[];
  readonly output: Output;
  readonly contexts: Contexts;
  /** aborted by Ctrl-C */
  readonly signal: AbortSignal;
  /** Says something to people: on stderr, a line. */
  say(text: string): void;
  /** The session of the command's context. @throws CliError where one is not signed in */
  session(): Promise<Session>;
}

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
    say: (text: string) => void io.stderr.write(`${text}\n`),
    session: () => (session ??= import('./session.ts').then(({ openSession }) => openSession(cli))),
    begin(given: Options, itsFlags: readonly string[]) {
      options = given;
      flags = itsFlags;
      output = createOutput(io, given);
    },
  };
  return cli;
}
