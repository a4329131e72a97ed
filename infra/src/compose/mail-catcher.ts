import { createServer, type Server } from 'node:http';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** A mail as it came. */
interface Caught {
  number: number;
  at: string;
  to: string[];
  /** the first line of the header of that name, as it was sent */
  subject: string;
  raw: string;
}

/** In bytes: of one mail, and of all that are kept. */
interface Limits {
  longest: number;
  all: number;
}

/**
 * Takes every mail, sends none, and shows them: `/` lists them, newest first (as JSON where that is asked for), `/<number>` is one
 * as it came. The oldest go when there are too many. Nothing outlives the process.
 * @returns both servers, which do not listen yet
 */
export function mailCatcher({ longest, all }: Limits = { longest: 1_000_000, all: 50_000_000 }): {
  smtp: SMTPServer;
  http: Server;
} {
  const mails: Caught[] = [];
  let count = 0;
  let bytes = 0;

  const keep = (to: string[], raw: string) => {
    const subject = /^subject: *(.*)$/im.exec(raw)?.[1] ?? '';
    mails.unshift({ number: ++count, at: new Date().toISOString(), to, subject, raw });
    bytes += raw.length;
    while (bytes > all) bytes -= mails.pop()?.raw.length ?? bytes;
  };

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: longest,
    logger: false,
    onData(stream, { envelope }, done) {
      readMail(stream, longest).then(
        (raw) => {
          keep(
            envelope.rcptTo.map(({ address }) => address),
            raw,
          );
          done(null);
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  // a client that goes in the middle of a mail
  smtp.on('error', () => undefined);

  const http = createServer((request, response) => {
    const [, number = ''] = /^\/(\d{0,15})(?:\?|$)/.exec(request.url ?? '') ?? [];
    const mail = mails.find((one) => String(one.number) === number);
    response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    if (mail) response.setHeader('content-type', 'text/plain; charset=utf-8').end(mail.raw);
    else if (request.url !== '/') response.writeHead(404).end();
    else if (request.headers.accept?.includes('json'))
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(mails.map(({ raw: _, ...shown }) => shown)));
    else response.setHeader('content-type', 'text/html; charset=utf-8').end(listing(mails));
  });
  return { smtp, http };
}

async function readMail(stream: SMTPServerDataStream, longest: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    // the rest has to be read, but not to be kept
    if (length <= longest) chunks.push(chunk);
  }
  if (stream.sizeExceeded || length > longest)
    throw Object.assign(new Error('5.3.4 too large'), { responseCode: 552 });
  return Buffer.concat(chunks).toString();
}

function listing(mails: readonly Caught[]): string {
  const rows = mails.map(
    ({ number, at, to, subject }) =>
      `<tr><td>${at}<td>${escaped(to.join(', '))}<td><a href="/${number}">${escaped(subject) || '(no subject)'}</a>`,
  );
  return `<!doctype html><title>Mails</title><h1>Mails</h1><table cellpadding="6">${rows.join('\n')}</table>`;
}

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
