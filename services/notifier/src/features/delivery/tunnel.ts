import type { Socket } from 'node:net';

/** of what a proxy says before the tunnel is open */
const mostHeadBytes = 16 * 1024;

/**
 * Asks an HTTP proxy, to which `socket` connects, for a tunnel.
 * @throws Error when there is none in time
 */
export async function openTunnel(
  socket: Socket,
  proxy: URL,
  address: string,
  port: number,
  milliseconds: number,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const fail = (code: string) => reject(Object.assign(new Error('the proxy gives no tunnel'), { code }));
  const timer = setTimeout(() => fail('EPROXY'), milliseconds);
  let head = Buffer.alloc(0);
  const onData = (piece: Buffer) => {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return head.length > mostHeadBytes ? fail('EPROXY') : undefined;
    // nothing comes after the head before we have spoken
    const isOpen = /^HTTP\/1\.[01] 200\b/.test(head.toString('latin1')) && head.length === end + 4;
    if (!isOpen) return fail('EPROXY');
    resolve(socket);
  };
  const onError = () => fail('EPROXY');
  socket.on('data', onData).on('error', onError).on('close', onError);
  socket.write(request(proxy, address, port));
  try {
    const opened = await promise;
    opened.pause();
    return opened;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    socket.off('data', onData).off('error', onError).off('close', onError);
    // whoever takes it over listens itself; until then an error must not end the process
    socket.on('error', () => undefined);
  }
}

function request({ username, password }: URL, address: string, port: number): string {
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`;
  return `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`;
}
