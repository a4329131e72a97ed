/** The exit codes of both programs; docs/cli.md promises them. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  notSignedIn: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  badInput: 7,
  waitRanOut: 8,
  partlyApplied: 9,
  tryAgain: 10,
  differs: 11,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Explanation {
  exitCode: ExitCode;
  /** what is wrong, a sentence */
  message: string;
  /** further lines: which fields, which candidates */
  details?: readonly string[];
  /** what to do: a command, or a sentence */
  next?: string | undefined;
  requestId?: string | null;
}

/** What a command finds wrong by itself. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly details: readonly string[];
  readonly next: string | undefined;

  constructor({ exitCode, message, details = [], next }: Explanation) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
    this.next = next;
  }
}

/** The command line is not one that the command takes. */
export const usageError = (message: string, next?: string): CliError =>
  new CliError({ exitCode: exitCodes.usage, message, next });

export const notFound = (message: string, next?: string): CliError =>
  new CliError({ exitCode: exitCodes.notFound, message, next });

export const conflict = (message: string, next?: string): CliError =>
  new CliError({ exitCode: exitCodes.conflict, message, next });
