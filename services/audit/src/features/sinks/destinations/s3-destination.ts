import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { s3Client } from '@sluice/connectors';
import type { S3SinkSettings } from '../sink-settings.ts';
import { reasonOf, testLine, type Batch, type Destination } from './destination.ts';
import type { SinkRoute } from '../sink-addresses.ts';

const compress = promisify(gzip);

export interface S3DestinationOptions {
  route: SinkRoute;
  now: () => Date;
}

/**
 * Puts entries into a bucket, as objects that are named after the first entry in them: what comes again, with more behind it or not,
 * takes its own place.
 */
export async function s3Destination(
  settings: S3SinkSettings,
  { route, now }: S3DestinationOptions,
): Promise<Destination> {
  const { bucket, prefix = '', endpoint, access_key_id, secret_access_key } = settings;
  const client: S3Client = await s3Client({
    endpoint: endpoint ?? null,
    region: settings.region ?? 'us-east-1',
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    pathStyle: settings.path_style === true,
    ca: settings.tls_ca ?? null,
    lookup: route.lookup,
    tunnel: route.tunnel,
  });

  async function put(name: string, lines: readonly string[], signal: AbortSignal): Promise<void> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    try {
      if (endpoint) route.check(new URL(endpoint).hostname);
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `${prefix}${name}.ndjson.gz`,
          Body: await compress(`${lines.join('\n')}\n`),
          ContentType: 'application/gzip',
        }),
        { abortSignal: signal },
      );
    } catch (error) {
      if (signal.aborted) throw new Error('The storage did not answer in time', { cause: error });
      const { name: kind, message } = error as Error;
      throw new Error(reasonOf(`The storage answered ${kind}: ${message}`, [secret_access_key]), {
        cause: error,
      });
    }
  }

  return {
    send: ({ first, lines }: Batch, signal) => put(objectName(first), lines, signal),
    test: (signal) => put('sluice-test', [testLine(now())], signal),
    close: async () => client.destroy(),
  };
}

/** In the order of the log when names are sorted. */
const objectName = (first: number) => String(first).padStart(16, '0');
