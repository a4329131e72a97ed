import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { endsTls, tlsChoices } from '@sluice/contracts/broker-schemas';
import type { ReadValues } from '@sluice/contracts/config-values';
import { ConfigurationRefused, type DesiredBroker } from '../runtime.ts';
import type { Value } from './syntax.ts';

type Certificate = NonNullable<DesiredBroker['tls']>;

/** How nats-server ends TLS; why it is the one who does is docs/decisions/051. */
export interface NatsTls {
  /** what stands at the top of its configuration */
  tcp: Record<string, Value>;
  /** what stands among that of its WebSocket listener */
  websocket: Record<string, Value>;
  files: ReadonlyMap<string, string>;
  /** what the server cannot change while it runs */
  restartKeys: readonly string[];
}

/** How many seconds a handshake may take. */
const handshakeSeconds = 3;
/** For so long the server waits for who begins with TLS; all others wait for it as well. */
const firstWait = '50ms';

/**
 * Reads how the broker ends TLS. The file of the certificate has its digest as its name, so that another certificate is another
 * configuration.
 * @param folder where the file will be
 * @throws ConfigurationRefused
 */
export function readTls(tls: Certificate | null, values: ReadValues, folder: string): NatsTls {
  const choices = tlsChoices(values, tls?.plain_text ?? true);
  const { tcp, websocket } = choices;
  // nobody waits for such clients where the others do not expect it
  const first = values['BROKER_TCP_TLS_FIRST'] ?? tcp === 'required';
  const restartKeys = [
    ...(tcp === 'off' ? [] : [`BROKER_TCP_TLS=${tcp}`]),
    ...(websocket === 'off' ? [] : [`BROKER_WEBSOCKET_TLS=${websocket}`]),
  ];
  if (!endsTls(choices)) return { ...none, restartKeys };
  if (!tls) throw new ConfigurationRefused(`${restartKeys[0]} needs a certificate, and there is none yet`);
  requirePair(tls);
  const content = `${tls.certificate.trim()}\n${tls.private_key.trim()}\n`;
  const name = createHash('sha256').update(content).digest('hex').slice(0, 40);
  const path = join(folder, `${name}.pem`);
  const pair = { cert_file: path, key_file: path, timeout: handshakeSeconds };
  const begun = first === true && { handshake_first: firstWait };
  return {
    tcp:
      tcp === 'off' ? {} : { tls: { ...pair, ...begun }, ...(tcp === 'optional' && { allow_non_tls: true }) },
    websocket: websocket === 'off' ? none.websocket : { tls: pair },
    files: new Map([[path, content]]),
    restartKeys,
  };
}

const none = { tcp: {}, websocket: { no_tls: true }, files: new Map<string, string>() };

/** A server with a pair that it can't read would not start. */
function requirePair({ certificate, private_key }: Certificate): void {
  if (!isPair(certificate, private_key))
    throw new ConfigurationRefused('the certificate and its key do not fit');
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
