/** Entries on their way to a sink, in the order of the log. */
export interface Batch {
  /** `seq` of the first and of the last */
  first: number;
  last: number;
  /** each as one line of JSON */
  lines: readonly string[];
}

/** What takes a tenant's entries. Those of a batch that comes again are the same, and so is its name. */
export interface Destination {
  /** @throws Error whose message is fit for people, also for the tenant's: in one line, without anything secret */
  send(batch: Batch, signal: AbortSignal): Promise<void>;
  /** Sends something that is no entry. @throws Error as `send` does */
  test(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Thrown by a destination that has said when it wants to be tried again. */
export class TryAgainLater extends Error {
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** What is sent to see whether it is taken. */
export const testLine = (now: Date) =>
  JSON.stringify({ type: 'audit_sink_test', name: 'Test of an audit sink', timestamp: now.toISOString() });

/**
 * What went wrong, fit for people: one line of at most 300 characters in which `secrets` are masked, since some servers answer with
 * what they were sent.
 */
export function reasonOf(answer: string, secrets: readonly string[]): string {
  // shorter ones would mask half of any sentence
  const known = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  const masked = known.reduce((text, secret) => text.replaceAll(secret, '***'), answer);
  const line = masked.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
