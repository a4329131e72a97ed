import { setting, type BrokerSection } from '../broker-schema.ts';

export const websocket: BrokerSection = {
  name: 'WebSocket',
  description: 'Clients over WebSocket, such as browsers',
  schema: [
    setting({
      key: 'BROKER_WEBSOCKET_TLS',
      name: 'TLS',
      description:
        'Whether clients over WebSocket come by TLS (wss), or without it. Without a value the region decides.',
      kind: 'enum',
      path: [],
      one_of: ['off', 'required'],
      restart: true,
    }),
    setting({
      key: 'BROKER_WEBSOCKET_COMPRESSION',
      name: 'Compression',
      description: 'Whether messages are compressed for clients that can take that',
      kind: 'bool',
      default_value: false,
      path: ['websocket', 'compression'],
      restart: true,
    }),
    setting({
      key: 'BROKER_WEBSOCKET_HANDSHAKE_TIMEOUT',
      name: 'Time for the handshake',
      description: 'How long a new connection may take until it speaks WebSocket',
      kind: 'duration',
      default_value: '2s',
      path: ['websocket', 'handshake_timeout'],
      min: 100,
      max: 60_000,
      restart: true,
    }),
    setting({
      key: 'BROKER_WEBSOCKET_AUTH_TIMEOUT',
      name: 'Time to log in',
      description:
        'How long a client over WebSocket may take until it has logged in; that of TCP without a value',
      kind: 'duration',
      path: ['websocket', 'authorization', 'timeout'],
      min: 100,
      max: 60_000,
      restart: true,
    }),
    setting({
      key: 'BROKER_WEBSOCKET_ALLOWED_ORIGINS',
      name: 'Allowed origins',
      description:
        'The web pages that may connect, such as https://app.example.com; all of them without a value',
      kind: 'list',
      path: ['websocket', 'allowed_origins'],
      pattern: 'https?://[A-Za-z0-9.:\\[\\]-]{1,253}',
      min: 1,
      max: 50,
      restart: true,
    }),
  ],
};
