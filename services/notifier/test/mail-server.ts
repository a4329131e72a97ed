import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as it came. */
export interface Received {
  /** the envelope's sender: where it would come back to */
  from: string;
  to: string[];
  /** how much of it would come back, where the sender says so */
  returned: string | undefined;
  raw: string;
  email: Email;
  /** whether the connection was encrypted, and who had signed in */
  secure: boolean;
  user: string | undefined;
}

/** A real SMTP server that keeps what it gets, and refuses what a test has it refuse. */
export interface MailServer {
  port: number;
  received: Received[];
  /** the password that `user` has to give; without one, no client has to sign in */
  password: string | undefined;
  /** the reply to a recipient that is not accepted, such as `450 4.2.0 later` */
  refused: Map<string, string>;
  /** called with each mail before it is acknowledged; answers a reply if it is not accepted */
  atData: (mail: Received) => Promise<string | undefined>;
  /** takes no more connections, as if there were no server */
  stop(): Promise<void>;
  /** listens again, on the same port */
  start(): Promise<void>;
}

export async function mailServer(): Promise<MailServer> {
  let current: SMTPServer | undefined;
  const server: MailServer = {
    port: 0,
    received: [],
    password: undefined,
    refused: new Map(),
    atData: async () => undefined,
    async stop() {
      const stopping = current;
      current = undefined;
      if (stopping) await new Promise<void>((resolve) => stopping.close(resolve));
    },
    async start() {
      const next = newServer(server);
      await new Promise<void>((resolve) => next.listen(server.port, '127.0.0.1', resolve));
      server.port = (next.server.address() as AddressInfo).port;
      current = next;
    },
  };
  await server.start();
  return server;
}

function newServer(server: MailServer): SMTPServer {
  const next = new SMTPServer({
    authOptional: server.password === undefined,
    logger: false,
    hideDSN: false,
    closeTimeout: 100,
    onAuth({ username, password }, _session, callback) {
      if (password === server.password) callback(null, { user: username });
      else callback(replyOf('535 5.7.8 who are you?'));
    },
    onRcptTo({ address }, _session, callback) {
      const reply = server.refused.get(address);
      callback(reply === undefined ? null : replyOf(reply));
    },
    onData(stream, { envelope, secure, user }, callback) {
      const take = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const raw = Buffer.concat(chunks).toString();
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to,
          returned: envelope.dsn?.ret ?? undefined,
          raw,
          email: await PostalMime.parse(raw),
          secure,
          user: typeof user === 'string' ? user : undefined,
        };
        const reply = await server.atData(mail);
        if (reply !== undefined) return callback(replyOf(reply));
        server.received.push(mail);
        callback(null);
      };
      take().catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error))));
    },
  });
  // a client that is killed in mid-session
  next.on('error', () => undefined);
  return next;
}

const replyOf = (reply: string) =>
  Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
