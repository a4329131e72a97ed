import { endsTls, tlsChoices } from '@sluice/contracts/broker-schemas';
import type { ReadValues } from '@sluice/contracts/config-values';
import { ConfigurationRefused, type DesiredBroker } from '../runtime.ts';
import { isPair, pemFile } from './pem-files.ts';
import type { Value } from './syntax.ts';

type Certificate = NonNullable<DesiredBroker['tls']>;

/** TLS in the configuration of nats-server; why the server ends it: docs/decisions/051. */
export interface NatsTls {
  tcp: Record<string, Value>;
  websocket: Record<string, Value>;
  files: ReadonlyMap<string, string>;
  /** settings that the server cannot change while it runs */
  restartKeys: readonly string[];
}

const handshakeSeconds = 3;
/** How long the server waits for clients that begin with TLS; all others wait as well. */
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
  // other clients expect no pause where TLS is optional
  const first = values['BROKER_TCP_TLS_FIRST'] ?? tcp === 'required';
  const restartKeys = [
    ...(tcp === 'off' ? [] : [`BROKER_TCP_TLS=${tcp}`]),
    ...(websocket === 'off' ? [] : [`BROKER_WEBSOCKET_TLS=${websocket}`]),
  ];
  if (!endsTls(choices)) return { ...none, restartKeys };
  if (!tls) throw new ConfigurationRefused(`${restartKeys[0]} needs a certificate, and there is none yet`);
  if (!isPair(tls)) throw new ConfigurationRefused('the certificate and its key do not fit');
  const { path, content } = pemFile(folder, tls.certificate, tls.private_key);
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
