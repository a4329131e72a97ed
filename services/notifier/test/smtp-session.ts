import { connect } from 'node:net';
import { createTransport } from 'nodemailer';

/** Hands a mail over as a mail server does that has one. @throws Error with `responseCode` when it is not taken */
export async function deliver(
  port: number,
  raw: string,
  { from = '', to, query = 'ignoreTLS=true' }: { from?: string; to: string; query?: string },
): Promise<void> {
  const server = createTransport(`smtp://127.0.0.1:${port}?${query}`);
  await server.sendMail({ envelope: { from, to }, raw }).finally(() => server.close());
}

/** A session in which a client says what it likes. */
export interface SmtpSession {
  /** Writes as it is, and answers the next reply as one text; '' when there is none, since the connection is over. */
  say(text: string): Promise<string>;
  /** Writes, without waiting. */
  write(text: string): void;
  /** the next reply, as of `say` */
  reply(): Promise<string>;
  /** resolves when the server has ended the connection */
  ended: Promise<void>;
  end(): void;
}

/** @throws Error without a server */
export async function smtpSession(port: number): Promise<SmtpSession> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  // the server may end it while something is being said
  socket.on('error', () => undefined);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let heard = '';
  let isOver = false;
  let wake = () => {};
  socket.on('data', (text: string) => {
    heard += text;
    wake();
  });
  socket.on('close', () => {
    isOver = true;
    wake();
    end();
  });
  const reply = async (): Promise<string> => {
    for (;;) {
      const [whole] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(heard) ?? [];
      if (whole !== undefined) {
        heard = heard.slice(whole.length);
        return whole.trimEnd();
      }
      if (isOver) return '';
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const session: SmtpSession = {
    say(text) {
      socket.write(text);
      return reply();
    },
    write: (text) => void socket.write(text),
    reply,
    ended,
    end: () => socket.destroy(),
  };
  if ((await reply()) === '') throw new Error(`no server listens on port ${port}`);
  await session.say('EHLO mx.acme.example\r\n');
  return session;
}
