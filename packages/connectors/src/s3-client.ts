import { pipeline, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Destinations } from '@sluice/system/destinations';
import { TunnelAgent, type OpenTunnel } from '@sluice/system/tunnels';

export interface S3ClientOptions {
  /** null: that of AWS in the region */
  endpoint: string | null;
  region: string;
  /** null: those of the program's environment or cloud, which are used in no other case */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
  pathStyle: boolean;
  /** certificates to trust in place of the well-known ones */
  ca: string | null;
  lookup: Destinations['lookup'];
  /** by which it connects in place of that, where it speaks TLS */
  tunnel?: OpenTunnel | undefined;
}

/** A client of S3, or of storage with its API, that connects through a guard and reads no answer without end. */
export async function s3Client(options: S3ClientOptions): Promise<S3Client> {
  const { endpoint, region, credentials, pathStyle, ca, lookup, tunnel } = options;
  const connection = { lookup, keepAlive: true, maxSockets: 4 };
  const secured = { ...connection, ...(ca !== null && { ca }) };
  // heavy, and loaded only by who has something to do with it
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  const client = new Client({
    region,
    ...(credentials && { credentials }),
    forcePathStyle: pathStyle,
    ...(endpoint === null ? { ignoreConfiguredEndpointUrls: true } : { endpoint }),
    // the caller tries again
    maxAttempts: 1,
    // storage that is not AWS knows the newer checksums as little as needs be
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 10_000,
      httpAgent: connection,
      httpsAgent: tunnel ? new TunnelAgent(tunnel, secured) : secured,
    },
  });
  limitAnswers(client);
  return client;
}

const mostAnswerBytes = 1_048_576;

/** The client reads an answer to its end, however long it is. */
function limitAnswers(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body?: unknown };
      if (isReadable(response.body)) response.body = pipeline(response.body, limited(), () => {});
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}

const isReadable = (body: unknown): body is NodeJS.ReadableStream =>
  typeof body === 'object' && body !== null && 'pipe' in body;

function limited(): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      done(bytes > mostAnswerBytes ? new Error('The answer is too long') : null, piece);
    },
  });
}
