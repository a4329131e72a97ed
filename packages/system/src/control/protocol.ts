/**
 * What a program that an agent keeps and that agent say to each other over the program's unix socket: one JSON object per line. Both
 * may be of another release than the other, so fields are only ever added, and what is not known is passed by.
 */
export type ControlRequest<Request extends object> = { id: number } & Request;

export type LogLine = ['error' | 'warn' | 'info' | 'debug', message: string, fields: Record<string, unknown>];

/** The first line that a program writes tells how it is, and so may any later one; the others answer a request, or are of its log. */
export type ControlAnswer<Status> =
  { id: number; status: Status } | { id: number; error: string } | { status: Status } | { log: LogLine };
