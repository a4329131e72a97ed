import type { Context, SluiceClient } from '@sluice/client';
import type { ActiveContext, Contexts } from './context/contexts.ts';
import type { Io } from '@sluice/terminal/io';
import type { Output } from '@sluice/terminal/output';
import type { CommonOptions } from '@sluice/terminal/program';
import type { DeploymentPlace, Places } from './places.ts';

/** Options that every command takes. */
export interface Options extends CommonOptions {
  context?: string;
  tenant?: string;
  verbose?: boolean;
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
  /** Says something to people: on stderr, lines, without the controls of terminals that names can have. */
  say(text: string): void;
  /** The session of the command's context. @throws CliError where one is not signed in */
  session(): Promise<Session>;
}

/** What a command works with once its context is known. Nothing is sent before it is needed. */
export interface Session {
  readonly context: ActiveContext;
  readonly client: SluiceClient;
  /** The tenant of the command: of `--tenant`, of the context, or of the key. */
  readonly tenantId: () => Promise<number>;
  readonly places: Places;
  /** The client for the region of a deployment, without asking where that is. */
  readonly at: (place: DeploymentPlace) => SluiceClient;
  /** GET /context, once. Undefined where the server is older. */
  readonly who: () => Promise<Context | undefined>;
}
